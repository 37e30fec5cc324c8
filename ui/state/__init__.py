"""The choices of the reader, their address and session, and what the server keeps for all readers. Nothing is drawn
here."""
