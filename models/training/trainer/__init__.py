"""The loop that learns, its optimizers, its schedule, its processes and its numbers, for every task. What is learned is
tasks/."""
