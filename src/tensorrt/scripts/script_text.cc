#include "tensorrt/scripts/script_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/python_string.h"
#include "base/strings.h"
#include "tensorrt/scripts/tactic_selectors.h"

namespace assay::tensorrt {
namespace {

using base::python_string;

constexpr std::string_view kLoadScript = R"py(

def function_of(path, name):
    """Returns a function of another script, which may import modules of its folder."""
    sys.path.insert(0, os.path.dirname(path))
    found = runpy.run_path(path)
    if not callable(found.get(name)):
        raise ValueError(f"{path} has no function {name}()")
    return found[name]
)py";

constexpr std::string_view kLoadPlugins = R"py(

def load_plugins(path):
    """Opens a library, which registers its plug-ins, exports a list of them or, like NVIDIA's, a function for that."""
    library = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    if hasattr(library, "getCreators"):
        trt.get_plugin_registry().load_library(path)  # fails without harm if they are registered
    elif hasattr(library, "initLibNvInferPlugins"):
        library.initLibNvInferPlugins(None, b"")
)py";

constexpr std::string_view kProfiles = R"py(

def stands_for(pattern, name):
    """Returns whether a name is this one, or matches this pattern."""
    return name == pattern or fnmatch.fnmatchcase(name, pattern)


def add_profile(builder, network, config, shapes, optional=(), values={}):
    """Adds a profile with the smallest, most usual and largest shapes of inputs, by their names or by patterns.

    Other dynamic dimensions are 1, and other inputs that contain shapes have these values, or else ones."""
    inputs = [network.get_input(i) for i in range(network.num_inputs)]
    for name in shapes:
        if name not in optional and not any(stands_for(name, tensor.name) for tensor in inputs):
            raise ValueError(f"a profile is for the input '{name}', which the network doesn't have")
    profile = builder.create_optimization_profile()
    for tensor in inputs:
        sizes = tuple(1 if size < 0 else size for size in tensor.shape)
        names = [tensor.name, *sorted(shapes, key=len, reverse=True)]  # a longer pattern says more
        given = next((shapes[name] for name in names if name in shapes and stands_for(name, tensor.name)), None)
        if tensor.is_shape_tensor:
            if given is None:
                given = (values.get(tensor.name, (1,) * math.prod(sizes)),) * 3
                print(f"shapes depend on the input '{tensor.name}', so the engine is built for its value {given[0]}",
                      file=sys.stderr)
            profile.set_shape_input(tensor.name, *given)
        elif given is not None and any(size < 0 for shape in given for size in shape):
            raise ValueError(f"a profile has a negative size, and the input '{tensor.name}' isn't a shape tensor")
        elif given is not None or sizes != tuple(tensor.shape):
            profile.set_shape(tensor.name, *(given or (sizes, sizes, sizes)))
    if config.add_optimization_profile(profile) == -1:
        raise RuntimeError("TensorRT doesn't accept a profile")


def is_open(tensor):
    """Returns whether sizes or values of an input or output are only known when the engine runs."""
    try:
        return tensor.is_shape_tensor or any(size < 0 for size in tensor.shape)
    except ValueError:  # the rank isn't known either, which is a negative length
        return True


def needs_profile(network):
    """Returns whether the network needs a profile."""
    inputs = [network.get_input(i) for i in range(network.num_inputs)]
    outputs = [network.get_output(i) for i in range(network.num_outputs)]
    return any(is_open(tensor) for tensor in inputs + outputs)
)py";

constexpr std::string_view kMatching = R"(

def matching(names, patterns):
    """Returns the names that match one of the patterns, and fails if a pattern matches none."""
    found = {}
    for pattern in patterns:
        matches = [name for name in names if name == pattern or fnmatch.fnmatchcase(name, pattern)]
        if not matches:
            raise ValueError(f"the network has no {pattern}")
        found.update(dict.fromkeys(matches))
    return list(found)
)";

constexpr std::string_view kMatches = R"py(

def matches(objects, patterns):
    """Returns the layers or tensors that match patterns, with the pattern and its value, and fails if one matches none."""
    found = []
    for pattern, value in patterns:
        same = [one for one in objects if one.name == pattern or fnmatch.fnmatchcase(one.name, pattern)]
        if not same:
            raise ValueError(f"the network has no {pattern}")
        found += [(one, pattern, value) for one in same]
    return found
)py";

constexpr std::string_view kComputed = R"(

def computed_by(network, are_wanted):
    """Returns the tensors that layers compute and that are wanted, by name."""
    tensors = [(layer, layer.get_output(i)) for layer in network for i in range(layer.num_outputs)]
    return {tensor.name: tensor for layer, tensor in tensors if tensor is not None and are_wanted(layer, tensor)}


def tensors_for(network, words):
    """Returns the tensors that words can mean, by name: patterns don't stand for constants."""
    return computed_by(network, lambda layer, tensor: layer.type != trt.LayerType.CONSTANT or tensor.name in words)
)";

// The worker does the same in C++ (backend/tensorrt/sdk/interior_tensors.cc says why one pass isn't enough). The
// network returns all layers as ILayer; assigning their class gives them the functions of their kind.
constexpr std::string_view kChooseOutputs = R"(

def names_inside(network):
    """Returns the names of the tensors inside loops and conditionals: they depend on what enters one, up to what leaves."""
    borders = {
        trt.LayerType.RECURRENCE: (trt.IRecurrenceLayer, "loop", set.add),
        trt.LayerType.ITERATOR: (trt.IIteratorLayer, "loop", set.add),
        trt.LayerType.LOOP_OUTPUT: (trt.ILoopOutputLayer, "loop", set.discard),
        trt.LayerType.CONDITIONAL_INPUT: (trt.IIfConditionalInputLayer, "conditional", set.add),
        trt.LayerType.CONDITIONAL_OUTPUT: (trt.IIfConditionalOutputLayer, "conditional", set.discard),
    }
    places, before = {}, None  # the loops and conditionals around a tensor, by its name
    while places != before:  # layers may come before those that compute their inputs
        before = dict(places)
        for layer in network:
            inputs = [layer.get_input(i) for i in range(layer.num_inputs)]
            around = {place for tensor in inputs if tensor is not None for place in places.get(tensor.name, ())}
            if layer.type in borders:
                kind, place, cross = borders[layer.type]
                layer.__class__ = kind
                cross(around, getattr(layer, place))
            outputs = [layer.get_output(i) for i in range(layer.num_outputs)]
            places.update({tensor.name: around for tensor in outputs if tensor is not None and around})
    return set(places)


def choose_outputs(network, patterns, types=()):
    """Makes what matches patterns, or what layers of these types compute, the only outputs of the network.

    Tensors inside loops and conditionals can't be outputs: patterns skip them, and naming one is an error. Patterns also
    skip booleans on which shapes depend: TensorRT may not be able to copy them from the host to the GPU."""
    for kind in types:
        if all(layer.type != kind for layer in network):
            raise ValueError(f"the network has no layer of the type {kind.name}")
    named = matching(tensors_for(network, patterns), patterns)
    wanted = computed_by(network, lambda layer, tensor: layer.type in types or tensor.name in named)
    inside = names_inside(network)
    for output in [network.get_output(i) for i in range(network.num_outputs)]:
        if output.name not in wanted:
            network.unmark_output(output)
    for name, tensor in wanted.items():
        if not tensor.is_network_output:
            on_host = tensor.dtype == trt.bool and tensor.is_shape_tensor
            if name not in inside and (name in patterns or not on_host):
                network.mark_output(tensor)
            if not tensor.is_network_output and name in patterns:
                why = ": it is inside a loop or a conditional. Name another one" if name in inside else ""
                raise ValueError(f"TensorRT can't have the tensor '{name}' as an output{why}")
)";

// The worker does the same in C++ (backend/tensorrt/sdk/set_precisions.cc).
constexpr std::string_view kSetPrecisions = R"py(

def computes_floats(layer):
    """Returns whether a layer computes with floats, rather than with integers, booleans or shapes."""
    whole = (trt.int32, trt.int64, trt.bool, trt.uint8)
    source = layer.get_input(0) if layer.num_inputs > 0 else None
    if layer.type == trt.LayerType.SHAPE or layer.precision in whole or (source is not None and source.is_shape_tensor):
        return False
    return layer.get_output(0).dtype not in whole or (source is not None and source.dtype not in whole)


def set_precisions(network, precisions):
    """Lets layers compute in the types of the patterns that match them. Patterns skip layers that compute no floats."""
    for layer, pattern, wanted in matches(list(network), precisions):
        if layer.name == pattern or computes_floats(layer):
            layer.precision = wanted
)py";

constexpr std::string_view kPorts = R"(

def ports_of(network):
    """Returns the inputs and outputs of the network."""
    inputs = [network.get_input(i) for i in range(network.num_inputs)]
    return inputs + [network.get_output(i) for i in range(network.num_outputs)]
)";

}  // namespace

std::string quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(python_string(text));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

std::string enumerators(std::string_view type, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(fmt::format("trt.{}.{}", type, name));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

std::string call(const Script& script, std::string_view arguments) {
  return fmt::format("function_of({}, {})({})", python_string(script.file), python_string(script.function), arguments);
}

std::string begin_script(std::string_view what, const std::string& body, const std::string& needs_10) {
  struct Part {
    std::vector<std::string_view> names;  // the part is needed if the body contains one of these
    std::string_view import;
    std::string_view text;
  };
  const Part parts[] = {
      {{"load_plugins("}, "import ctypes\n", kLoadPlugins},
      {{"subprocess."}, "import os\nimport subprocess\nimport tempfile\n", ""},
      {{"matching(", "matches(", "choose_outputs(", "set_precisions("}, "import fnmatch\n", ""},
      {{"function_of("}, "import os\nimport runpy\nimport sys\n", kLoadScript},
      {{"add_profile("}, "import fnmatch\nimport math\nimport sys\n", kProfiles},
      {{"matching(", "choose_outputs("}, "", kMatching},
      {{"matches(", "set_precisions("}, "", kMatches},
      {{"set_precisions("}, "", kSetPrecisions},
      {{"tensors_for(", "choose_outputs("}, "", kComputed},
      {{"choose_outputs("}, "", kChooseOutputs},
      {{"ports_of("}, "", kPorts},
      {{" = Tactic"}, "import json\nimport os\nimport sys\n", kTacticSelectors},
  };
  std::set<std::string> lines;
  std::string functions;
  const auto is_in_body = [&body](std::string_view name) { return body.find(name) != std::string::npos; };
  for (const Part& part : parts) {
    if (std::ranges::none_of(part.names, is_in_body)) continue;
    for (const std::string& line : base::split(base::trim(part.import), '\n')) lines.insert(line);
    functions += part.text;
  }
  lines.erase("");
  std::string imports;
  for (const std::string& line : lines) imports += line + "\n";
  const std::string check =
      needs_10.empty() ? ""
                       : fmt::format("\nif int(trt.__version__.split(\".\")[0]) > 10:\n    raise RuntimeError({})\n",
                                     python_string(needs_10));
  return fmt::format("#!/usr/bin/env python3\n\"\"\"{}\"\"\"\n{}import tensorrt as trt\n{}{}", what,
                     imports.empty() ? imports : imports + "\n", check, functions);
}

}  // namespace assay::tensorrt
