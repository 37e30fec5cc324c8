"""Pictures of attention as files, SVG and PNG, painted by Python alone: no browser, no plotly. The viewer, which is
looked into, is in `viz/viewer/`."""
