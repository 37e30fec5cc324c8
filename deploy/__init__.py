"""How Headlight leaves the repository: the wheel, the site, the proxy before a server, Spaces."""
