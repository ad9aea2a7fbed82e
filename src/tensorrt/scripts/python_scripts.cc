// Each setting of a plan becomes one or a few statements, and what the plan leaves open isn't mentioned, so that the
// scripts stay short.
#include "tensorrt/scripts/python_scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "base/python_string.h"

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

constexpr std::string_view kProfiles = R"py(

def add_profile(builder, network, config, shapes, optional=()):
    """Adds a profile with the smallest, most usual and largest shapes of inputs. Other open sizes are 1."""
    inputs = [network.get_input(i) for i in range(network.num_inputs)]
    for name in shapes:
        if name not in optional and name not in [tensor.name for tensor in inputs]:
            raise ValueError(f"a profile is for the input '{name}', which the network doesn't have")
    profile = builder.create_optimization_profile()
    for tensor in inputs:
        sizes = tuple(1 if size < 0 else size for size in tensor.shape)
        given = shapes.get(tensor.name)
        if tensor.is_shape_tensor:
            if given is None:
                raise ValueError(f"the input '{tensor.name}' contains a shape, so profiles need its values")
            profile.set_shape_input(tensor.name, *given)
        elif given is not None or sizes != tuple(tensor.shape):
            profile.set_shape(tensor.name, *(given or (sizes, sizes, sizes)))
    if config.add_optimization_profile(profile) == -1:
        raise RuntimeError("TensorRT doesn't accept a profile")


def has_open_inputs(network):
    """Returns whether an input needs a profile."""
    inputs = [network.get_input(i) for i in range(network.num_inputs)]
    return any(tensor.is_shape_tensor or any(size < 0 for size in tensor.shape) for tensor in inputs)
)py";

constexpr std::string_view kTensors = R"(

def tensors_of(network):
    """Returns all tensors of the network by name."""
    tensors = [network.get_input(i) for i in range(network.num_inputs)]
    for layer in network:
        tensors += [layer.get_output(i) for i in range(layer.num_outputs)]
    return {tensor.name: tensor for tensor in tensors if tensor is not None}


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
    """Returns the layers or tensors that match patterns, each with the pattern's value, and fails if one matches none."""
    found = []
    for pattern, value in patterns:
        same = [one for one in objects if one.name == pattern or fnmatch.fnmatchcase(one.name, pattern)]
        if not same:
            raise ValueError(f"the network has no {pattern}")
        found += [(one, value) for one in same]
    return found
)py";

// Layers inside loops can't be outputs, and values of shape layers and constants tell nothing.
constexpr std::string_view kOutputNames = R"(

def computed_by(network, types=None):
    """Returns the names of what layers of these types compute; by default, of all that can be outputs."""
    names, in_loop = [], False
    for layer in network:
        if layer.type in (trt.LayerType.TRIP_LIMIT, trt.LayerType.ITERATOR, trt.LayerType.RECURRENCE):
            in_loop = True
        elif layer.type == trt.LayerType.LOOP_OUTPUT:
            in_loop = False
        tells_nothing = layer.type in (trt.LayerType.SHAPE, trt.LayerType.CONSTANT)
        if not in_loop and (layer.type in types if types else not tells_nothing):
            names += [layer.get_output(i).name for i in range(layer.num_outputs) if layer.get_output(i) is not None]
    return names
)";

constexpr std::string_view kPorts = R"(

def ports_of(network):
    """Returns the inputs and outputs of the network."""
    inputs = [network.get_input(i) for i in range(network.num_inputs)]
    return inputs + [network.get_output(i) for i in range(network.num_outputs)]
)";

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

std::string tuple(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string call(const Script& script, std::string_view arguments) {
  return fmt::format("function_of({}, {})({})", python_string(script.file), python_string(script.function), arguments);
}

// The statements of a function.
class Body {
 public:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += "    " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_list(const std::string& function, const ConfigPlan::List& list, Body& body) {
  const std::string names = enumerators(list.type, list.names);
  if (function == "set_tactic_sources") {
    body.add("config.set_tactic_sources(sum(1 << int(source) for source in set({})))", names);
  } else if (function == "set_preview_feature") {
    body.add("for feature in trt.PreviewFeature.__members__.values():");
    body.add("    config.set_preview_feature(feature, feature in {})", names);
  } else {
    body.add("for flag in trt.QuantizationFlag.__members__.values():");
    body.add("    change = config.set_quantization_flag if flag in {} else config.clear_quantization_flag", names);
    body.add("    change(flag)");
  }
}

void add_profile(const Profile& profile, Profiles how, Body& body) {
  if (how == Profiles::completed) {
    std::vector<std::string> items;
    std::vector<std::string> optional;
    for (const auto& [input, range] : profile.inputs) {
      items.push_back(
          fmt::format("{}: ({}, {}, {})", python_string(input), tuple(range.min), tuple(range.opt), tuple(range.max)));
      if (range.is_optional) optional.push_back(input);
    }
    body.add("add_profile(builder, network, config, {{{}}}{})", fmt::join(items, ", "),
             optional.empty() ? "" : fmt::format(", {}", quoted(optional)));
    return;
  }
  body.add("profile = builder.create_optimization_profile()");
  for (const auto& [input, range] : profile.inputs) {
    body.add("profile.set_shape({}, min={}, opt={}, max={})", python_string(input), tuple(range.min), tuple(range.opt),
             tuple(range.max));
  }
  body.add("config.add_optimization_profile(profile)");
}

// Scripts calibrate from a cache only.
bool reads_calibration(const ConfigPlan& plan) {
  return plan.calibrator && !plan.calibrator->cache.empty();
}

std::string calibrator_class(const Calibrator& calibrator) {
  std::string text = fmt::format(R"(

class Calibrator(trt.{}):
    """Calibrates from a cache. There are no other data."""

    def __init__(self):
        super().__init__()

    def get_batch_size(self):
        return 1

    def get_batch(self, names):
        return None

    def read_calibration_cache(self):
        with open({}, "rb") as file:
            return file.read()

    def write_calibration_cache(self, cache):
        pass
)",
                                 calibrator.base, python_string(calibrator.cache));
  if (calibrator.base == kLegacyCalibrator) {
    text += fmt::format(R"(
    def get_quantile(self):
        return {}

    def get_regression_cutoff(self):
        return {}

    def read_histogram_cache(self, length):
        return None

    def write_histogram_cache(self, data):
        pass
)",
                        calibrator.quantile, calibrator.regression_cutoff);
  }
  return text;
}

Body config_body(const ConfigPlan& plan, Profiles profiles) {
  Body body;
  if (plan.begin) {
    body.add("config = {}", call(*plan.begin, "builder, network"));
    body.add("if config is None:");
    body.add("    raise ValueError({})", python_string(fmt::format("{}() of {} must return the configuration",
                                                                   plan.begin->function, plan.begin->file)));
  } else {
    body.add("config = builder.create_builder_config()");
  }
  for (const Profile& profile : plan.profiles) add_profile(profile, profiles, body);
  if (profiles == Profiles::completed && plan.profiles.empty() && !plan.begin) {
    body.add("if has_open_inputs(network):");
    body.add("    add_profile(builder, network, config, {{}})");
  }
  for (const std::string& flag : plan.flags) body.add("config.set_flag(trt.BuilderFlag.{})", flag);
  for (const std::string& flag : plan.cleared) body.add("config.clear_flag(trt.BuilderFlag.{})", flag);
  for (const auto& [property, number] : plan.numbers) body.add("config.{} = {}", property, number);
  for (const auto& [property, choice] : plan.choices)
    body.add("config.{} = trt.{}.{}", property, choice.type, choice.name);
  for (const auto& [function, list] : plan.lists) add_list(function, list, body);
  for (const auto& [pool, bytes] : plan.pool_limits) {
    body.add("config.set_memory_pool_limit(trt.MemoryPoolType.{}, {})", pool, bytes);
  }
  if (plan.use_dla) {
    body.add("config.default_device_type = trt.DeviceType.DLA");
    body.add("config.DLA_core = 0");
  }
  if (reads_calibration(plan)) body.add("config.int8_calibrator = Calibrator()");
  if (!plan.timing_cache.empty()) {
    body.add("with open({}, \"rb\") as file:", python_string(plan.timing_cache));
    body.add("    cache = config.create_timing_cache(file.read())");
    body.add("if not config.set_timing_cache(cache, ignore_mismatch=False):");
    body.add("    raise RuntimeError(\"the timing cache is of another device or version of TensorRT\")");
  }
  if (plan.change) body.add("{}", call(*plan.change, "builder, network, config"));
  return body;
}

void add_model(const NetworkPlan& plan, Body& body) {
  body.add("parser = trt.OnnxParser(network, logger)");
  for (const std::string& flag : plan.parser_flags) body.add("parser.set_flag(trt.OnnxParserFlag.{})", flag);
  for (const std::string& flag : plan.cleared_parser_flags) body.add("parser.clear_flag(trt.OnnxParserFlag.{})", flag);
  if (plan.parsed_as.empty()) {
    body.add("if not parser.parse_from_file({}):", python_string(plan.model));
  } else {
    body.add("with open({}, \"rb\") as file:", python_string(plan.model));
    body.add("    parsed = parser.parse(file.read(), {})", python_string(plan.parsed_as));
    body.add("if not parsed:");
  }
  body.add("    errors = [str(parser.get_error(i)) for i in range(parser.num_errors)]");
  body.add("    raise RuntimeError(\"the parser refuses the model: \" + \"; \".join(errors))");
}

void add_outputs(const NetworkPlan& plan, Body& body) {
  const auto matching = [](const std::vector<std::string>& patterns) {
    return fmt::format("matching(tensors, {})", quoted(patterns));
  };
  const bool none = plan.outputs.empty() && plan.output_types.empty() && plan.excluded_outputs.empty();
  if (none && plan.debug_tensors.empty()) return;
  body.add("tensors = tensors_of(network)");
  if (!plan.outputs.empty()) {
    const bool all = plan.outputs == std::vector<std::string>{"*"};
    body.add("for tensor in tensors.values():");
    body.add("    if tensor.is_network_output:");
    body.add("        network.unmark_output(tensor)");
    body.add("for name in {}:", all ? "computed_by(network)" : matching(plan.outputs));
    body.add("    network.mark_output(tensors[name])");
  }
  if (!plan.output_types.empty()) {
    body.add("for name in computed_by(network, {}):", enumerators("LayerType", plan.output_types));
    body.add("    if not tensors[name].is_network_output:");
    body.add("        network.mark_output(tensors[name])");
  }
  if (!plan.excluded_outputs.empty()) {
    body.add("for name in {}:", matching(plan.excluded_outputs));
    body.add("    if tensors[name].is_network_output:");
    body.add("        network.unmark_output(tensors[name])");
  }
  if (!plan.debug_tensors.empty()) {
    body.add("for name in {}:", matching(plan.debug_tensors));
    body.add("    network.mark_debug(tensors[name])");
  }
}

// Returns pairs of a pattern and its value, in the order given.
template <class Value>
std::string pairs(const ByPattern<Value>& values, const auto& print) {
  std::vector<std::string> items;
  for (const auto& [pattern, value] : values) {
    items.push_back(fmt::format("({}, {})", python_string(pattern), print(value)));
  }
  return fmt::format("[{}]", fmt::join(items, ", "));
}

// Unmarks outputs. `ports` are the inputs and outputs before.
void keep_outputs(const NetworkPlan& plan, Body& body) {
  if (!plan.kept_outputs) return;
  body.add("for tensor in ports[network.num_inputs:]:");
  body.add("    if tensor.name not in {}:", quoted(*plan.kept_outputs));
  body.add("        network.unmark_output(tensor)");
  body.add("names = [tensor.name for tensor in ports_of(network)]");
  body.add("ports = [tensor for tensor in ports if tensor.name in names]");
}

void add_types(const NetworkPlan& plan, Body& body) {
  const auto type = [](const std::string& name) { return "trt." + name; };
  const auto list = [](const std::vector<std::string>& names) { return enumerators("TensorFormat", names); };
  if (!plan.layer_precisions.empty()) {
    body.add("for layer, wanted in matches(list(network), {}):", pairs(plan.layer_precisions, type));
    body.add("    layer.precision = wanted");
  }
  const bool has_types = plan.usual_tensor_type || !plan.tensor_types.empty();
  const bool has_formats = plan.usual_tensor_format || !plan.tensor_formats.empty();
  if (!has_types && !has_formats && !plan.kept_outputs) return;
  body.add("ports = ports_of(network)");
  if (!plan.tensor_types.empty()) body.add("types = matches(ports, {})", pairs(plan.tensor_types, type));
  if (!plan.tensor_formats.empty()) body.add("formats = matches(ports, {})", pairs(plan.tensor_formats, list));
  keep_outputs(plan, body);
  const auto set_usual = [&](const std::string& statement) {
    body.add("for tensor in ports:");
    body.add("    {}", statement);
  };
  const auto set_named = [&](std::string_view values, const std::string& statement) {
    body.add("for tensor, wanted in {}:", values);
    if (plan.kept_outputs) body.add("    if tensor in ports:");
    body.add("{}    {}", plan.kept_outputs ? "    " : "", statement);
  };
  const auto mask = [](const std::string& formats) {
    return fmt::format("tensor.allowed_formats = sum(1 << int(format) for format in set({}))", formats);
  };
  if (plan.usual_tensor_type) set_usual("tensor.dtype = " + type(*plan.usual_tensor_type));
  if (!plan.tensor_types.empty()) set_named("types", "tensor.dtype = wanted");
  if (plan.usual_tensor_format) set_usual(mask(list(*plan.usual_tensor_format)));
  if (!plan.tensor_formats.empty()) set_named("formats", mask("wanted"));
}

Body network_body(const NetworkPlan& plan) {
  Body body;
  for (const std::string& library : plan.plugins)
    body.add("ctypes.CDLL({}, ctypes.RTLD_GLOBAL)", python_string(library));
  if (plan.begin) {
    body.add("made = {}", call(*plan.begin, ""));
    body.add("if not isinstance(made, (tuple, list)) or len(made) < 2:");
    body.add("    raise ValueError({})",
             python_string(fmt::format("{}() of {} must return the builder, the network and, if it has one, the "
                                       "parser",
                                       plan.begin->function, plan.begin->file)));
    body.add("builder, network, *others = made");
  } else {
    body.add("logger = trt.Logger(trt.Logger.WARNING)");
    body.add("trt.init_libnvinfer_plugins(logger, \"\")");
    body.add("builder = trt.Builder(logger)");
    body.add("network = builder.create_network({})",
             plan.strongly_typed ? "1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)" : "");
    if (!plan.model.empty()) add_model(plan, body);
  }
  for (const Script& script : plan.changes) body.add("{}", call(script, "network=network"));
  add_outputs(plan, body);
  add_types(plan, body);
  if (plan.decomposes_attention) {
    body.add("for layer in network:");
    body.add("    if layer.type == trt.LayerType.ATTENTION_INPUT:");
    body.add("        layer.__class__ = trt.IAttentionInputLayer");
    body.add("        layer.attention.decomposable = True");
  }
  if (plan.marks_unfused) body.add("network.mark_unfused_tensors_as_debug_tensors()");
  return body;
}

// Returns the script up to its main function: what it is, its imports, and those of these functions that it calls.
std::string begin_script(std::string_view what, const std::string& body) {
  struct Part {
    std::string_view name;  // the part is needed if the body contains this
    std::string_view import;
    std::string_view text;
  };
  constexpr Part kParts[] = {
      {"ctypes.", "import ctypes\n", ""},
      {"match", "import fnmatch\n", ""},  // matching() and matches()
      {"function_of(", "import os\nimport runpy\nimport sys\n", kLoadScript},
      {"add_profile(", "", kProfiles},
      {"tensors_of(", "", kTensors},
      {"matches(", "", kMatches},
      {"computed_by(", "", kOutputNames},
      {"ports_of(", "", kPorts},
  };
  std::string imports;
  std::string functions;
  for (const Part& part : kParts) {
    if (body.find(part.name) == std::string::npos) continue;
    imports += part.import;
    functions += part.text;
  }
  return fmt::format("#!/usr/bin/env python3\n\"\"\"{}\"\"\"\n{}import tensorrt as trt\n{}", what,
                     imports.empty() ? imports : imports + "\n", functions);
}

}  // namespace

std::string config_script(const ConfigPlan& plan, Profiles profiles) {
  const Body body = config_body(plan, profiles);
  return begin_script("Makes a TensorRT builder configuration: change load_config() as you like.", body.text()) +
         (reads_calibration(plan) ? calibrator_class(*plan.calibrator) : "") +
         "\n\ndef load_config(builder, network):\n"
         "    \"\"\"Returns the configuration with which the builder makes an engine of the network.\"\"\"\n" +
         body.text() + "    # Change the configuration here.\n    return config\n";
}

std::string network_script(const NetworkPlan& plan) {
  const Body body = network_body(plan);
  const bool has_parser = !plan.begin && !plan.model.empty();
  const std::string_view more = plan.begin ? ", *others" : has_parser ? ", parser" : "";
  const std::string_view returned = plan.begin   ? ", the network and what else must live as long"
                                    : has_parser ? ", the network and the parser"
                                                 : " and the network";
  return begin_script("Makes a TensorRT network: change load_network() as you like.", body.text()) +
         fmt::format("\n\ndef load_network():\n    \"\"\"Returns the builder{}.\"\"\"\n", returned) + body.text() +
         fmt::format("    # Change the network here.\n    return builder, network{}\n", more);
}

}  // namespace assay::tensorrt
