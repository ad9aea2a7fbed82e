"""The Python side of Assay's workers: assay-worker-python runs worker.py in the user's interpreter."""
