"""The reader's choices, their address and session, and what the server shares between readers. Nothing is drawn
here."""
