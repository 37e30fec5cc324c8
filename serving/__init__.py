"""Several processes of the app behind one address: `python run.py serve --workers 4`. Knows the app by its addresses
only; nothing here opens a model or draws a page.
"""
