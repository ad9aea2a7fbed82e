"""Base classes of the loaders, runners and sessions of all engines."""

from assay.backend.base.loader import BaseLoader
from assay.backend.base.runner import BaseRunner
from assay.backend.base.session import Port, Session, SessionRunner, model_source

__all__ = ["BaseLoader", "BaseRunner", "Port", "Session", "SessionRunner", "model_source"]
