// Python classes for scripts that record or replay tactics, with TensorRT's IAlgorithmSelector. The worker's own
// selector (backend/tensorrt/sdk/tactic_selector.cc) does the same in C++.
#pragma once

#include <string_view>

namespace assay::tensorrt {

// An exception in a selector would reach TensorRT. So errors are kept, and check_tactics() raises them after the build.
inline constexpr std::string_view kTacticSelectors = R"py(

def tactic_of(layer, algorithm):
    """Returns the tactic of a layer as replays have it."""
    tensors = []
    for i in range(layer.num_inputs + layer.num_outputs):
        info = algorithm.get_algorithm_io_info(i)
        tensors.append({"dtype": str(info.dtype), "strides": list(info.strides), "vectorized_dim": info.vectorized_dim,
                        "components_per_element": info.components_per_element, "polygraphy_class": "TensorInfo"})
    variant = algorithm.algorithm_variant
    return {"implementation": variant.implementation, "tactic": variant.tactic, "inputs": tensors[:layer.num_inputs],
            "outputs": tensors[layer.num_inputs:], "polygraphy_class": "Algorithm"}


class TacticRecorder(trt.IAlgorithmSelector):
    """Saves which tactics TensorRT chooses."""

    def __init__(self, path):
        super().__init__()
        self.path, self.replay = path, None

    def select_algorithms(self, context, choices):
        return list(range(len(choices)))

    def report_algorithms(self, contexts, choices):
        self.replay = self.replay or {}
        for context, choice in zip(contexts, choices):
            self.replay[context.name] = tactic_of(context, choice)
        with open(self.path + ".part", "w", encoding="utf-8") as file:
            json.dump({"replay": self.replay, "polygraphy_class": "TacticReplayData"}, file)
        os.replace(self.path + ".part", self.path)

    def check_tactics(self, was_built):
        """Raises an error if nothing was recorded."""
        if was_built and self.replay is None:
            raise RuntimeError("TensorRT has built the engine without asking for tactics, so none are recorded")


class TacticReplayer(trt.IAlgorithmSelector):
    """Makes TensorRT choose the tactics of a replay."""

    def __init__(self, path):
        super().__init__()
        with open(path, encoding="utf-8") as file:
            root = json.load(file)
        if not isinstance(root, dict) or root.get("polygraphy_class") != "TacticReplayData":
            raise ValueError(f"{path} isn't a tactic replay")
        self.replay, self.error, self.was_asked = root["replay"], None, False

    def select_algorithms(self, context, choices):
        self.was_asked = True
        tactics = [tactic_of(context, choice) for choice in choices]
        if context.name not in self.replay:
            print(f"the tactic replay lacks the layer '{context.name}', so TensorRT chooses its tactic", file=sys.stderr)
            return list(range(len(choices)))
        wanted = self.replay[context.name]
        if wanted in tactics:
            return [tactics.index(wanted)]
        offered = "".join(f"\n    {tactic}" for tactic in tactics[:8])
        self.fail(f"TensorRT doesn't offer the tactic that the replay has for the layer '{context.name}': {wanted}. "
                  f"It offers:{offered}")
        return []

    def report_algorithms(self, contexts, choices):
        for context, choice in zip(contexts, choices):
            if self.replay.get(context.name, tactic_of(context, choice)) != tactic_of(context, choice):
                self.fail(f"TensorRT chose another tactic for the layer '{context.name}' than the replay has")

    def fail(self, error):
        print(error, file=sys.stderr)
        self.error = self.error or error

    def check_tactics(self, was_built):
        """Raises an error if a tactic of the replay wasn't chosen."""
        if self.error:
            raise RuntimeError(self.error)
        if was_built and not self.was_asked:
            raise RuntimeError("TensorRT has built the engine without asking for tactics, so none are replayed")
)py";

}  // namespace assay::tensorrt
