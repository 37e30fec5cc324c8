"""The pages "Lessons" and "Make a lesson".

The package `lessons` reads lesson files and answers their questions.
"""
