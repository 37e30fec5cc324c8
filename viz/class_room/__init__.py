"""What students and the projector see of a room: a page beside Streamlit's, plain ES modules in `frontend/`, and those
of the viewer."""
