"""Responses of the server: compression, and the installation of the page. The routes of the viewer are in state/."""
