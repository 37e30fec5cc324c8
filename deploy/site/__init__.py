"""The site: pages from docs/, the lessons, the notebooks and the docstrings, a gallery of live viewers; built by
Zensical, without a host to load from."""
