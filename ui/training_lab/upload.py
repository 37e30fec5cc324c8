"""The upload of a model: the file of “Download the model”, or its files one by one."""

from __future__ import annotations

import streamlit as st

from lab.limits import MEGABYTE
from lab.uploads.uploads import take_upload
from ui.state.selection import run_again
from ui.training_lab.server import client, one_trial, owner, show_next, supervisor
from viz.kit.language import tr


def upload_model() -> None:
    """Draw the upload, and open the files. Raises LabError for invalid ones."""
    limits = supervisor().limits
    st.caption(
        tr(
            "The .zip from “Download the model”, or all of its files together. Only safetensors are opened; a pickle, "
            "which can run code, is refused."
        )
    )
    files = st.file_uploader(
        tr("Model"),
        type=["zip", "safetensors", "json", "txt", "md", "bin", "pt", "pkl"],
        accept_multiple_files=True,
        key="lab_model_files",
        max_upload_size=max(1, limits.model_bytes // MEGABYTE),
        label_visibility="collapsed",
    )
    name = st.text_input(
        tr("Name of the model"), placeholder=tr("the name that it has"), max_chars=40, key="lab_model_name"
    )
    if st.button(tr("Open the model"), icon=":material/upload:", disabled=not files):
        with st.spinner(tr("Checking the files, and opening the model in a separate process"), show_time=True):
            client_digest = client()
            with one_trial(client_digest):
                given = [(file.name, file.getvalue()) for file in files]
                run = take_upload(given, name.strip(), limits, client=client_digest, owner=owner())
        show_next(run.id)
        run_again()
