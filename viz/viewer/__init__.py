"""The viewer: what the browser is sent, the files it gives, and its own side in frontend/."""
