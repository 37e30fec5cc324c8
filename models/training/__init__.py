"""Trainings that a person starts: tasks, what they read, the loop that learns, and the snapshots that it leaves."""
