"""From a record to a figure, a table or HTML: NumPy, pandas, plotly and bertviz; no torch, no Streamlit."""
