"""Questions and corpora computed on the machines of a Ray cluster: what the cluster serves, and how it is asked."""
