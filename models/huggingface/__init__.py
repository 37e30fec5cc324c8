"""Models of transformers as ours: files, configuration, passes, recording, writing. What any model of ours shares lies
elsewhere."""
