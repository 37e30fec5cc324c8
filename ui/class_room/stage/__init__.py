"""The stage of a room: a page of the app that is run once for each kind of screen, and sent to all of them."""
