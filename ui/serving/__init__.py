"""How the server answers: what it compresses. Which addresses there are is said in state/routes.py."""
