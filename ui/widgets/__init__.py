"""What several pages show: the frame, inputs, pickers, notes, downloads, the viewer. What one page alone shows is its
room."""
