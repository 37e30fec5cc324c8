"""Middleware and routes of the server: compression, limits, security headers, installation. The viewer's routes are in
state/."""
