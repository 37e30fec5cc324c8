"""Text that only these trainings read. What a training of one's own reads is in `models/training/corpora`."""
