"""The page of a class room for students and the projector: beside Streamlit's, in plain ES modules (`frontend/`), some
of them the viewer's."""
