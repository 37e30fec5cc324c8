"""The one recorder, the one place to intervene, and how calls become records. What is asked of a model is tasks/."""
