"""Figures and sentences about heads over many texts: roles, effects, explanations. For one sentence see attention/."""
