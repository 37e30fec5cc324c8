"""Attention that somebody already has: arrays, outputs of other libraries and files become a recording, checked.

`show` is public. Pictures are made elsewhere: the viewer in `viz/viewer/`, SVG and PNG files in `viz/painter/`.
"""
