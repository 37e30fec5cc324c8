"""The snapshots of a run on disk, and what each makes of a sentence. Measuring a run for the first time is a recipe."""
