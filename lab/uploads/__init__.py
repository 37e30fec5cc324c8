"""Models of the lab under names that pages open, and models that strangers upload, looked through before anything opens
them."""
