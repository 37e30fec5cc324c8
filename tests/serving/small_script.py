"""What the smallest app shows."""

import streamlit as st

st.write("Hello.")
