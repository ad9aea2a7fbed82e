"""OpenCV's dnn module for assay --python."""
import cv2
import numpy as np

VERSION = cv2.__version__


def load_bytes(data, _folder):
    return cv2.dnn.readNetFromONNX(np.frombuffer(bytes(data), np.uint8))


def load(path):
    with open(path, "rb") as file:
        return load_bytes(file.read(), "")


def infer(net, feeds, wanted):
    for name, value in feeds.items():
        net.setInput(value, name)
    return dict(zip(wanted, net.forward(wanted)))
