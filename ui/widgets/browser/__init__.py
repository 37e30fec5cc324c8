"""Small parts that run in the browser: keys, the player, drawings, the width of the page, links to copy, to skip by."""
