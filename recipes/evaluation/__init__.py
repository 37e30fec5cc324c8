"""How well a checkpoint does, beside what counting alone does, and how it came there. Nothing learns here but the
baselines."""
