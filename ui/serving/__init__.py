"""How the server answers: what it compresses, what lets a browser install the page. What the viewer fetches: state/."""
