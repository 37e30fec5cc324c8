"""Text as a training reads it: vocabulary, corpus, batches. Sentences that are made by rules are sentences/."""
