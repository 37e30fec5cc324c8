"""The state that all processes of a server share, in one SQLite file: the long values of short links, the rooms of
classes. Knows no page and no Streamlit."""
