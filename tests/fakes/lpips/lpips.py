"""Stands in for the package lpips, which needs PyTorch and the weights of AlexNet: images differ by the mean square of the
differences of their values."""


class LPIPS:
    def __init__(self, net, version, verbose):
        assert (net, version, verbose) == ("alex", "0.1", False)

    def eval(self):
        return self

    def __call__(self, first, second):
        batch, channels, _, _ = first.shape
        assert channels == 3 and first.dtype == second.dtype == "float32"
        return ((first - second) ** 2).reshape(batch, -1).mean(axis=1)
