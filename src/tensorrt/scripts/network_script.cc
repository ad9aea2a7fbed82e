// Each setting of a plan becomes one or a few statements, and what the plan leaves open isn't mentioned, so that the
// script stays short.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/python_string.h"
#include "tensorrt/scripts/python_scripts.h"
#include "tensorrt/scripts/script_text.h"

namespace assay::tensorrt {
namespace {

using base::python_string;

void add_model(const NetworkPlan& plan, ScriptBody& body) {
  body.add("parser = trt.OnnxParser(network, logger)");
  for (const std::string& flag : plan.parser_flags) body.add("parser.set_flag(trt.OnnxParserFlag.{})", flag);
  for (const std::string& flag : plan.cleared_parser_flags) body.add("parser.clear_flag(trt.OnnxParserFlag.{})", flag);
  if (std::ranges::find(plan.parser_flags, "REPORT_CAPABILITY_DLA") != plan.parser_flags.end()) {
    body.add("# The parser asks this configuration which layers the DLA can run.");
    body.add("config = builder.create_builder_config()");
    body.add("config.default_device_type = trt.DeviceType.DLA");
    body.add("config.DLA_core = 0");
    body.add("if hasattr(trt.BuilderFlag, \"FP16\"):  # TensorRT 10, whose networks may be in float32");
    body.add("    config.set_flag(trt.BuilderFlag.FP16)");
    body.add("parser.set_builder_config(config)");
  }
  if (!plan.convert.empty()) {
    body.add("with tempfile.TemporaryDirectory() as folder:");
    body.add("    path = os.path.join(folder, \"model.onnx\")");
    body.add("    subprocess.run({} + [\"-o\", path], check=True)", quoted(plan.convert));
    body.add("    parsed = parser.parse_from_file(path)");
    body.add("if not parsed:");
  } else if (plan.parsed_as.empty()) {
    body.add("if not parser.parse_from_file({}):", python_string(plan.model));
  } else {
    body.add("with open({}, \"rb\") as file:", python_string(plan.model));
    body.add("    parsed = parser.parse(file.read(), {})", python_string(plan.parsed_as));
    body.add("if not parsed:");
  }
  body.add("    errors = [str(parser.get_error(i)) for i in range(parser.num_errors)]");
  body.add("    raise RuntimeError(\"the parser refuses the model: \" + \"; \".join(errors))");
}

void add_outputs(const NetworkPlan& plan, ScriptBody& body) {
  if (!plan.outputs.empty() || !plan.output_types.empty()) {
    const std::string types =
        plan.output_types.empty() ? "" : fmt::format(", {}", enumerators("LayerType", plan.output_types));
    body.add("choose_outputs(network, {}{})", quoted(plan.outputs), types);
  }
  if (!plan.excluded_outputs.empty()) {
    body.add("tensors = tensors_for(network, {})", quoted(plan.excluded_outputs));
    body.add("for name in matching(tensors, {}):", quoted(plan.excluded_outputs));
    body.add("    if tensors[name].is_network_output:");
    body.add("        network.unmark_output(tensors[name])");
  }
  if (!plan.debug_tensors.empty()) {
    body.add("tensors = tensors_for(network, {})", quoted(plan.debug_tensors));
    body.add("inputs = [network.get_input(i) for i in range(network.num_inputs)]");
    body.add("tensors.update({{tensor.name: tensor for tensor in inputs}})");
    body.add("for name in matching(tensors, {}):", quoted(plan.debug_tensors));
    body.add("    network.mark_debug(tensors[name])");
  }
}

// Returns a list of pairs, each of a pattern and its value, in the order given.
template <class Value>
std::string pairs(const ByPattern<Value>& values, const auto& print) {
  std::vector<std::string> items;
  for (const auto& [pattern, value] : values) {
    items.push_back(fmt::format("({}, {})", python_string(pattern), print(value)));
  }
  return fmt::format("[{}]", fmt::join(items, ", "));
}

// Unmarks all other outputs. In the script, `ports` holds the inputs and outputs, first with and then without them.
void keep_outputs(const NetworkPlan& plan, ScriptBody& body) {
  if (!plan.kept_outputs) return;
  body.add("for tensor in ports[network.num_inputs:]:");
  body.add("    if tensor.name not in {}:", quoted(*plan.kept_outputs));
  body.add("        network.unmark_output(tensor)");
  body.add("names = [tensor.name for tensor in ports_of(network)]");
  body.add("ports = [tensor for tensor in ports if tensor.name in names]");
}

void add_types(const NetworkPlan& plan, ScriptBody& body) {
  const auto type = [](const std::string& name) { return "trt." + name; };
  const auto list = [](const std::vector<std::string>& names) { return enumerators("TensorFormat", names); };
  if (!plan.layer_precisions.empty()) {
    body.add("set_precisions(network, {})", pairs(plan.layer_precisions, type));
  }
  const bool has_types = plan.usual_tensor_type || !plan.tensor_types.empty();
  const bool has_formats = plan.usual_tensor_format || !plan.tensor_formats.empty();
  if (!has_types && !has_formats && !plan.kept_outputs) return;
  body.add("ports = ports_of(network)");
  if (!plan.tensor_types.empty()) body.add("types = matches(ports, {})", pairs(plan.tensor_types, type));
  if (!plan.tensor_formats.empty()) body.add("formats = matches(ports, {})", pairs(plan.tensor_formats, list));
  keep_outputs(plan, body);
  const auto set_named = [&](std::string_view values, const std::string& statement) {
    body.add("for tensor, _, wanted in {}:", values);
    if (plan.kept_outputs) body.add("    if tensor in ports:");
    body.add("{}    {}", plan.kept_outputs ? "    " : "", statement);
  };
  const auto mask = [](const std::string& formats) {
    return fmt::format("tensor.allowed_formats = sum(1 << int(format) for format in set({}))", formats);
  };
  if (plan.usual_tensor_type) {
    body.add("for tensor in ports:");
    body.add("    tensor.dtype = {}", type(*plan.usual_tensor_type));
  }
  if (!plan.tensor_types.empty()) set_named("types", "tensor.dtype = wanted");
  if (plan.usual_tensor_format) {
    body.add("for tensor in ports:");
    body.add("    if not tensor.is_shape_tensor:  # which are row-major");
    body.add("        {}", mask(list(*plan.usual_tensor_format)));
  }
  if (!plan.tensor_formats.empty()) set_named("formats", mask("wanted"));
}

ScriptBody network_body(const NetworkPlan& plan) {
  ScriptBody body;
  for (const std::string& library : plan.plugins) body.add("load_plugins({})", python_string(library));
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

}  // namespace

std::string network_script(const NetworkPlan& plan) {
  const ScriptBody body = network_body(plan);
  const bool has_parser = !plan.begin && !plan.model.empty();
  const std::string_view more = plan.begin ? ", *others" : has_parser ? ", parser" : "";
  const std::string_view returned = plan.begin   ? ", the network and what else must stay alive with them"
                                    : has_parser ? ", the network and the parser"
                                                 : " and the network";
  return begin_script("Creates a TensorRT network. Change load_network() as you like.", body.text(), plan.needs_10) +
         fmt::format("\n\ndef load_network():\n    \"\"\"Returns the builder{}.\"\"\"\n", returned) + body.text() +
         fmt::format("    # Change the network here.\n    return builder, network{}\n", more);
}

}  // namespace assay::tensorrt
