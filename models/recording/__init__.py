"""The one recorder, the one place to intervene, and how calls become records. Questions to a model are in tasks/."""
