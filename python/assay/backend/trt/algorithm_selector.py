"""What Polygraphy defines in this module. Each raises an Error when it is used."""

from assay.backend.trt import Algorithm, TacticRecorder, TacticReplayData, TacticReplayer

__all__ = ["Algorithm", "TacticRecorder", "TacticReplayData", "TacticReplayer"]
