"""What a person pastes or uploads as rows to learn from, and samples to begin with. No job and no model."""
