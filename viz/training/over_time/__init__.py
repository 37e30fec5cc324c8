"""Pictures of one sentence over the snapshots of a run: shares of heads, a film strip, answers, tables."""
