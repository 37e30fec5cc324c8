"""Speed measured against peers in the same run; `docs/performance.md` has the results and their commands."""
