"""Heads that somebody writes by hand, four dimensions each: their forward pass, their goals, and a check on hidden
words. Models that were trained do not belong here."""
