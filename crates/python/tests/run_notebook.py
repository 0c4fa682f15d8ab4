"""Runs a notebook from its first cell to its last; an error in a cell is an error here."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient

path = pathlib.Path(sys.argv[1])
notebook = nbformat.read(path, as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}).execute()
print(f"{path}: {len(notebook.cells)} cells")
