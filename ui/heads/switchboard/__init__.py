"""The page "Switchboard": the answers of a model without some of its heads, computed by models/analysis/."""
