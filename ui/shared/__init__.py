"""The state that all processes of a server share, in one SQLite file: short links, and the rooms of classes.
Independent of pages and Streamlit."""
