"""The viewer: the data for the browser, the files to download, and the browser side in frontend/."""
