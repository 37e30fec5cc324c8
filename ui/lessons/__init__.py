"""The pages "Lessons" and "Make a lesson": reading a lesson, predicting, and writing one.

What a lesson is and how its questions are answered does not belong here: that is `lessons`.
"""
