"""Jobs beside the server: who runs, who waits, locks and disks. What a job does is work.py."""
