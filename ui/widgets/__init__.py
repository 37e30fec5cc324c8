"""Widgets of several pages: the frame, inputs, pickers, notes, downloads, the viewer. Those of one page are in its
folder."""
