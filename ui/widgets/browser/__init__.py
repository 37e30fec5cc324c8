"""Small parts that run in the browser: keys, the player, the width of the page, links to copy and to skip by."""
