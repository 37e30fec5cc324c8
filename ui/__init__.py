"""The part that knows Streamlit, besides the pages: page frame, shared selection, caches, inputs, the explorer."""
