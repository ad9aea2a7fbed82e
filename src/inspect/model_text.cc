#include "inspect/model_text.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "model/onnx_facts.h"
#include "tensor/format_array.h"
#include "tensor/number_text.h"

namespace assay::inspect {
namespace {

constexpr int kStep = 4;  // columns by which nested text is indented

std::string indent(std::string_view text, int columns) {
  const std::string margin(static_cast<std::size_t>(columns), ' ');
  return margin + base::replace_all(text, "\n", "\n" + margin);
}

std::string shape_text(const std::vector<model::Dimension>& shape) {
  std::vector<std::string> parts;
  for (const model::Dimension& dimension : shape) {
    const bool symbolic = dimension.value < 0 && !dimension.symbol.empty();
    parts.push_back(symbolic ? fmt::format("'{}'", dimension.symbol) : fmt::format("{}", dimension.value));
  }
  return fmt::format("({}{})", base::join(parts, ", "), parts.size() == 1 ? "," : "");
}

std::string value_text(const ValueDescription& value) {
  std::string text = (value.is_initializer ? "Initializer | " : "") + value.name;
  if (value.type.empty() && !value.shape) return text;
  text += fmt::format(" [dtype={}", value.type.empty() ? "?" : value.type);
  if (value.shape) text += ", shape=" + shape_text(*value.shape);
  return text + "]";
}

std::string values_text(const std::vector<ValueDescription>& values) {
  std::vector<std::string> lines;
  for (const ValueDescription& value : values) lines.push_back(value_text(value));
  return "{" + base::join(lines, ",\n ") + "}";
}

std::string weight_head(const WeightDescription& weight) {
  return fmt::format("[dtype={}, shape={}{}]", tensor::name(weight.type), tensor::format_shape(weight.shape),
                     weight.nonzero ? fmt::format(", stored={}", *weight.nonzero) : "");
}

// Returns the values of a weight on separate lines, or the reason why there are none.
std::string weight_values(const WeightDescription& weight) {
  if (!weight.values) return fmt::format("<{}>", weight.missing);
  const std::string values = tensor::format_array(*weight.values);
  return weight.indices ? values + "\nat the indices\n" + tensor::format_array(*weight.indices) : values;
}

template <class T, class Format>
std::string list_text(const std::vector<T>& values, Format format) {
  std::vector<std::string> parts;
  for (const T& value : values) parts.push_back(format(value));
  return "[" + base::join(parts, ", ") + "]";
}

std::string float_text(float value) {
  return tensor::format_scalar(value);
}

// `is_network`: the nodes are layers of TensorRT, and there are no initializers.
std::string graph_text(const GraphDescription& graph, const DescribeOptions& options, bool is_network = false);

// Returns the text after "NAME.ATTRIBUTE =", with its leading space or line break.
struct AttributeText {
  const DescribeOptions& options;

  std::string operator()(std::int64_t value) const { return fmt::format(" {}", value); }
  std::string operator()(float value) const { return " " + float_text(value); }
  std::string operator()(const std::string& value) const { return " " + value; }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return " " + list_text(values, [](std::int64_t v) { return fmt::format("{}", v); });
  }
  std::string operator()(const std::vector<float>& values) const { return " " + list_text(values, float_text); }
  std::string operator()(const std::vector<std::string>& values) const {
    return " " + list_text(values, [](const std::string& v) { return "'" + v + "'"; });
  }
  std::string operator()(tensor::ElementType type) const { return fmt::format(" {}", tensor::name(type)); }
  std::string operator()(const WeightDescription& weight) const {
    if (!weight.values && weight.missing.empty()) return " Tensor " + weight_head(weight);
    return fmt::format(" Tensor {} | Values:\n{}", weight_head(weight), indent(weight_values(weight), kStep));
  }
  std::string operator()(const std::vector<WeightDescription>& weights) const {
    std::string text;
    for (const WeightDescription& weight : weights) text += "\n" + indent((*this)(weight).substr(1), kStep);
    return text;
  }
  std::string operator()(const std::vector<GraphDescription>& bodies) const {
    std::string text;
    for (const GraphDescription& body : bodies) text += "\n" + indent(graph_text(body, options), 2 * kStep);
    return text;
  }
  std::string operator()(const TypeText& type) const { return " " + type.text; }
  std::string operator()(const AttributeReference& reference) const {
    return fmt::format(" (attribute '{}' of the function)", reference.name);
  }
};

// Joins parts by commas, in lines of at most about 100 columns.
std::string wrapped(const std::vector<std::string>& parts) {
  constexpr std::size_t kColumns = 100;
  std::string text;
  std::size_t line = 0;  // where it starts
  for (const std::string& part : parts) {
    if (!text.empty()) text += ',';
    if (text.size() > line && text.size() - line + part.size() + 1 > kColumns) {
      text += '\n';
      line = text.size();
    } else if (!text.empty()) {
      text += ' ';
    }
    text += part;
  }
  return text;
}

// "12 Conv, 10 Relu, 2 If\nIn bodies (30): 20 Add, ..."
std::string operators_text(const model::CountedNodes& operators) {
  const auto list = [](const model::OperatorCounts& counts) {
    std::vector<std::string> parts;
    for (const auto& [name, count] : model::most_frequent_first(counts)) {
      parts.push_back(fmt::format("{} {}", count, name));
    }
    return parts;
  };
  std::string text = wrapped(list(operators.direct));
  if (operators.inside.empty()) return text;
  std::vector<std::string> inside = list(operators.inside);
  inside.front() = fmt::format("In bodies ({}): {}", model::total(operators.inside), inside.front());
  return text + "\n" + wrapped(inside);
}

std::string section(std::string_view title, std::size_t count, const std::string& body) {
  return fmt::format("---- {} ({}) ----{}{}", title, count, body.empty() ? "" : "\n", body);
}

std::string initializers_text(const GraphDescription& graph, const DescribeOptions& options) {
  if (options.weights) {
    std::vector<std::string> parts;
    for (const WeightDescription& weight : graph.initializers) {
      parts.push_back(fmt::format("Initializer | {} {} | Values:\n{}", weight.name, weight_head(weight),
                                  indent(weight_values(weight), kStep)));
    }
    return base::join(parts, "\n\n");
  }
  std::vector<std::string> lines;
  if (!options.layers) {
    for (const auto& [type, weights] : graph.initializer_types) {
      lines.push_back(fmt::format("{} {} ({})", weights.count, type, base::format_bytes(weights.bytes)));
    }
    return wrapped(lines);
  }
  for (const WeightDescription& weight : graph.initializers) {
    lines.push_back(fmt::format("{} {}", weight.name, weight_head(weight)));
  }
  return "{" + base::join(lines, ",\n ") + "}";
}

std::string node_text(const NodeDescription& node, std::size_t index, const DescribeOptions& options, bool is_network) {
  const bool default_domain = model::is_default_domain(node.domain);
  std::string text = fmt::format("{} {:<4} | {} [Op: {}]{}\n", is_network ? "Layer" : "Node", index, node.name,
                                 node.op_type, default_domain ? "" : fmt::format(" [Domain: {}]", node.domain));
  if (!node.overload.empty()) text.insert(text.size() - 1, fmt::format(" [Overload: {}]", node.overload));
  std::string outputs = values_text(node.outputs);
  if (node.inputs.empty()) {
    const std::string rest = indent(outputs, kStep + 6);
    text += fmt::format("{:{}}{{}} -> {}", "", kStep, rest.substr(kStep + 6));
  } else {
    const std::string rest = indent(outputs, kStep + 4);
    text += fmt::format("{}\n{:{}} -> {}", indent(values_text(node.inputs), kStep), "", kStep, rest.substr(kStep + 4));
  }
  if (!node.attributes.empty()) text += fmt::format("\n{:{}}---- Attributes ----", "", kStep);
  for (const AttributeDescription& attribute : node.attributes) {
    const std::string value = std::visit(AttributeText{options}, attribute.value);
    const std::string owner = node.name.empty() ? "" : node.name + ".";
    text += "\n" + indent(fmt::format("{}{} ={}", owner, attribute.name, value), kStep);
  }
  if (!node.doc.empty()) text += fmt::format("\n{:{}}---- Description ----\n{}", "", kStep, indent(node.doc, kStep));
  if (!node.metadata.empty()) text += fmt::format("\n{:{}}---- Metadata ----", "", kStep);
  for (const auto& [key, value] : node.metadata) {
    const bool has_lines = value.find('\n') != std::string::npos;
    text += "\n" + indent(fmt::format("{}:{}{}", key, has_lines ? "\n" : " ", value), kStep);
  }
  return text;
}

std::string graph_text(const GraphDescription& graph, const DescribeOptions& options, bool is_network) {
  std::vector<std::string> sections;
  if (options.layers && !graph.doc.empty()) sections.push_back("---- Description ----\n" + graph.doc);
  sections.push_back(section("Inputs", graph.inputs.size(), values_text(graph.inputs)));
  sections.push_back(section("Outputs", graph.outputs.size(), values_text(graph.outputs)));
  if (!is_network) {
    sections.push_back(section("Initializers", graph.initializer_count, initializers_text(graph, options)));
  }
  std::vector<std::string> nodes;
  if (!options.layers) nodes.push_back(operators_text(graph.operators));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    nodes.push_back(node_text(graph.nodes[i], i, options, is_network));
  sections.push_back(section(is_network ? "Layers" : "Nodes", graph.node_count, base::join(nodes, "\n\n")));
  return base::join(sections, "\n\n");
}

std::string opset_text(const std::vector<OpsetDescription>& opsets) {
  std::vector<std::string> parts;
  for (const OpsetDescription& opset : opsets) {
    parts.push_back(fmt::format("{} {}", model::domain_name(opset.domain), opset.version));
  }
  return base::join(parts, ", ");
}

std::string function_text(const FunctionDescription& function, const DescribeOptions& options) {
  std::string text =
      fmt::format("==== Function {} ====\nDomain: {}{} | Opsets: {}", function.name, function.domain,
                  function.overload.empty() ? "" : " | Overload: " + function.overload, opset_text(function.opsets));
  if (!function.attributes.empty()) text += " | Attributes: " + base::join(function.attributes, ", ");
  if (!function.defaults.empty()) text += "\n\n---- Default attributes ----";
  for (const AttributeDescription& attribute : function.defaults) {
    text += fmt::format("\n{} ={}", attribute.name, std::visit(AttributeText{options}, attribute.value));
  }
  return text + "\n\n" + graph_text(function.body, options);
}

}  // namespace

std::string unbounded_text(const ModelDescription& model) {
  std::string text = fmt::format("Tensors that decide a size and have no bound: {}", model.unbounded_sizes->size());
  for (const UnboundedDescription& size : *model.unbounded_sizes) {
    text += fmt::format("\n{} decides the output of {}", size.tensor, size.node);
  }
  return text;
}

std::string to_text(const ModelDescription& model, const DescribeOptions& options) {
  if (model.is_network) {
    return fmt::format("==== TensorRT network ====\nName: {}{}\n\n", model.graph.name,
                       model.is_strongly_typed ? " | Strongly typed" : "") +
           graph_text(model.graph, options, true);
  }
  std::string text = fmt::format("==== ONNX model ====\nName: {} | Opset: {}", model.graph.name,
                                 model.opset > 0 ? fmt::format("{}", model.opset) : "none");
  if (!model.other_opsets.empty()) text += " | Other opsets: " + opset_text(model.other_opsets);
  text += fmt::format(" | IR version: {}", model.ir_version);
  if (!model.producer.empty()) text += " | Producer: " + model.producer;
  text += fmt::format(" | Weights: {}", base::format_bytes(model.graph.initializer_bytes));
  if (options.layers && !model.doc.empty()) text += "\n\n---- Model description ----\n" + model.doc;
  if (!model.metadata.empty()) {
    text += fmt::format("\n\n---- Metadata ({}) ----", model.metadata.size());
    for (const auto& [key, value] : model.metadata) text += fmt::format("\n{}: {}", key, value);
  }
  text += "\n\n" + graph_text(model.graph, options);
  for (const FunctionDescription& function : model.functions) text += "\n\n" + function_text(function, options);
  return text;
}

}  // namespace assay::inspect
