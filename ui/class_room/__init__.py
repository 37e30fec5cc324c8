"""The room of a class: a teacher shows, students follow on their telephones, and are asked. What a room is stands in
`ui/shared/`; here are its routes, its messages, its questions and its page."""
