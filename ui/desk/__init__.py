"""The desk: where pages ask models, with the cache of answers, the queues of the devices, and long work."""
