"""One text: what stands out in it against what the heads do on average. Many texts are summed up in over_texts/."""
