"""The page "Switchboard": what a model says without some of its heads. What the numbers mean is models/analysis/."""
