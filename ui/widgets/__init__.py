"""Widgets that several pages share: the frame, inputs, pickers, notes, downloads, the viewer."""
