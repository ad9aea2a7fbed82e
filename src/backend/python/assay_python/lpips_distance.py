"""LPIPS, written like a user's module: how different two images look to AlexNet, with the user's packages lpips and torch.

The inputs are the float32 arrays `first` and `second`, of the same shape. They are brought into the network's form as
Polygraphy does it, with three exceptions. Both are scaled alike. Only values above 2 make them 8-bit images: a network whose
images overshoot 1 a little would otherwise get the distance of two black ones. More than 4 channels aren't an image.
"""
import functools
import sys

import numpy as np

from .module import Wrong

try:
    import lpips
    import torch
except ImportError as error:
    raise SystemExit(f"LPIPS needs the Python packages lpips, torch and torchvision, which {sys.executable} lacks ({error}). "
                     f"Install them: {sys.executable} -m pip install lpips torch torchvision") from None

# Which channels become red, green and blue, by the number of channels.
COLOURS = {1: [0, 0, 0], 2: [0, 1, 1], 3: [0, 1, 2], 4: [0, 1, 2]}


@functools.cache
def _network():
    try:
        return lpips.LPIPS(net="alex", version="0.1", verbose=False).eval()
    except OSError as error:
        raise Wrong(f"AlexNet, the network of LPIPS, could not be loaded ({error}). PyTorch downloads its weights when it is "
                    f"first used, unless they are in {torch.hub.get_dir()}") from None


def load(_path):
    return _network()


def _images(pair):
    """Returns two arrays of shape (batch, 3, height, width), with values from -1 to 1."""
    images = np.moveaxis(pair, -1, -3) if pair.ndim in (4, 5) and pair.shape[-1] <= 3 else pair
    if images.ndim == 4:
        images = images[:, np.newaxis]
    if images.ndim != 5 or images.size == 0 or images.shape[2] not in COLOURS:
        raise Wrong(f"an array of shape {pair.shape[1:]} isn't an image, which LPIPS needs: images are (channels, height, width) "
                    "or (height, width, channels), with 1 to 4 channels, and may be in a batch")
    if images.max() > 2:
        images = images / 255
    if images.min() >= 0 and images.max() <= 1:
        images = images * 2 - 1
    return images[:, :, COLOURS[images.shape[2]]]


def infer(network, feeds):
    images = _images(np.stack([feeds["first"], feeds["second"]]))
    with torch.no_grad():
        distances = network(*map(torch.from_numpy, images))
    return {"distance": np.float32(distances.mean().item())}
