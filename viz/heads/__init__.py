"""What heads are and do, over many texts: their names in words. What one sentence shows of a head is attention/."""
