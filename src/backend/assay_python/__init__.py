"""The Python side of Assay's workers: assay-worker-python becomes this, in the user's interpreter (see worker.py)."""
