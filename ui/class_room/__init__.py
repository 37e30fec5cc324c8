"""The room of a class: a teacher shows, students follow on their phones and answer questions.

Its state is in `ui/shared/`; here are its routes, messages, questions and page.
"""
