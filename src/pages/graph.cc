// Tensors of a graph get their entries before those of its bodies, so that the first entry with a name is the outermost
// one.
#include "pages/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "diff/describe.h"
#include "inspect/describe_values.h"
#include "model/attributes.h"
#include "model/graph_view.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "pages/statistics.h"
#include "tensor/format_array.h"

namespace assay::pages {
namespace {

using report::PageGraph;
using report::PageNode;
using report::PageTensor;

constexpr std::uint64_t kFewValues = 8;  // of a tensor in an attribute, so that the values are shown

std::string shape_text(const std::vector<model::Dimension>& shape) {
  std::vector<std::string> sizes;
  for (const model::Dimension& size : shape) {
    const std::string symbol = size.symbol.empty() ? "?" : size.symbol;
    sizes.push_back(size.value >= 0 ? fmt::format("{}", size.value) : symbol);
  }
  return "[" + base::join(sizes, ", ") + "]";
}

void describe(PageTensor& tensor, const inspect::ValueDescription& value) {
  if (tensor.type.empty()) tensor.type = value.type;
  if (tensor.shape.empty() && value.shape) tensor.shape = shape_text(*value.shape);
}

class GraphBuilder {
 public:
  explicit GraphBuilder(const model::Model& model) : model_(model) {
    graph_.file = model.path.string();
    const auto inferred = model::inferred_values(model);
    add_graph(model.graph(), inferred ? &*inferred : nullptr, nullptr, {}, 0);
  }

  PageGraph take() && { return std::move(graph_); }

 private:
  // The tensors that a graph sees.
  struct Scope {
    const Scope* outer;
    std::unordered_map<std::string_view, std::int32_t> tensors{};
  };
  struct Place {  // where a body is
    std::int32_t parent = -1;
    std::string body{};
  };

  std::int32_t add_tensor(Scope& scope, const std::string& name, PageTensor::Role role) {
    const auto [at, is_new] = scope.tensors.try_emplace(name, static_cast<std::int32_t>(graph_.tensors.size()));
    if (is_new) graph_.tensors.push_back({.name = name, .role = role});
    return at->second;
  }

  std::int32_t find(Scope& scope, const std::string& name) {
    if (name.empty()) return -1;
    for (const Scope* at = &scope; at != nullptr; at = at->outer) {
      if (const auto found = at->tensors.find(name); found != at->tensors.end()) return found->second;
    }
    return add_tensor(scope, name, PageTensor::Role::value);
  }

  void describe_all(const Scope& scope, const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values) {
    for (const onnx::ValueInfoProto& value : values) {
      const auto at = scope.tensors.find(value.name());
      if (at == scope.tensors.end()) continue;
      describe(graph_.tensors[static_cast<std::size_t>(at->second)], inspect::describe_value(value));
    }
  }

  // `order`: of the nodes. `inferred`: further values of the graph; may be null.
  void add_tensors(Scope& scope, const onnx::GraphProto& graph, const std::vector<model::NodeId>& order,
                   const onnx::GraphProto* inferred) {
    using Role = PageTensor::Role;
    const bool is_main = scope.outer == nullptr;
    for (const auto& weight : graph.initializer()) {
      const std::int32_t at = add_tensor(scope, weight.name(), Role::weight);
      describe(graph_.tensors[static_cast<std::size_t>(at)], inspect::describe_value(weight));
    }
    for (const auto& weight : graph.sparse_initializer()) {
      const std::int32_t at = add_tensor(scope, weight.values().name(), Role::weight);
      describe(graph_.tensors[static_cast<std::size_t>(at)], inspect::describe_value(weight));
    }
    for (const auto& input : graph.input()) add_tensor(scope, input.name(), is_main ? Role::input : Role::value);
    for (const model::NodeId node : order) {
      for (const std::string& output : graph.node(node).output()) {
        if (!output.empty()) add_tensor(scope, output, Role::value);
      }
    }
    for (const auto& output : graph.output()) {
      const std::int32_t at = find(scope, output.name());
      if (at < 0) continue;
      PageTensor& tensor = graph_.tensors[static_cast<std::size_t>(at)];
      if (is_main && tensor.role == Role::value) tensor.role = Role::output;
    }
    if (inferred != nullptr) {  // knows what is declared, and may know more
      describe_all(scope, inferred->output());
      describe_all(scope, inferred->value_info());
    }
    describe_all(scope, graph.input());
    describe_all(scope, graph.output());
    describe_all(scope, graph.value_info());
  }

  void add_graph(const onnx::GraphProto& graph, const onnx::GraphProto* inferred, const Scope* outer,
                 const Place& place, int depth) {
    Scope scope{outer};
    std::vector<model::NodeId> order(static_cast<std::size_t>(graph.node_size()));
    std::iota(order.begin(), order.end(), 0);
    if (auto sorted = model::topological_order(model::GraphView(graph))) order = *std::move(sorted);
    add_tensors(scope, graph, order, inferred);
    for (const model::NodeId id : order) add_node(graph.node(id), scope, place, depth);
  }

  void add_node(const onnx::NodeProto& node, Scope& scope, const Place& place, int depth) {
    const auto index = static_cast<std::int32_t>(graph_.nodes.size());
    PageNode entry{.name = node.name(),
                   .op_type = node.op_type(),
                   .domain = node.domain(),
                   .parent = place.parent,
                   .body = place.body};
    for (const std::string& input : node.input()) entry.inputs.push_back(find(scope, input));
    for (const std::string& output : node.output()) entry.outputs.push_back(find(scope, output));
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (model::holds_body(attribute)) continue;
      entry.attributes.emplace_back(attribute.name(), attribute_text(attribute));
    }
    graph_.nodes.push_back(std::move(entry));
    if (depth >= inspect::kMaxNesting) return;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) add_graph(attribute.g(), nullptr, &scope, {index, attribute.name()}, depth + 1);
      for (int i = 0; i < attribute.graphs_size(); ++i) {
        const Place inside{index, fmt::format("{}[{}]", attribute.name(), i)};
        add_graph(attribute.graphs(i), nullptr, &scope, inside, depth + 1);
      }
    }
  }

  [[nodiscard]] std::string attribute_text(const onnx::AttributeProto& attribute) const {
    std::string text = diff::attribute_text(attribute);
    if (!attribute.has_t()) return text;
    const auto count = tensor::element_count(model::shape(attribute.t()));
    if (!count || *count > kFewValues) return text;
    const auto values = model::read_weight(model_, attribute.t());
    return values ? text + " = " + tensor::format_array(*values) : text;
  }

  const model::Model& model_;
  PageGraph graph_;
};

}  // namespace

report::PageGraph graph_of(const model::Model& model) {
  return GraphBuilder(model).take();
}

void add_weight_statistics(report::PageGraph& graph, const model::Model& model, std::size_t count,
                           std::uint64_t bytes) {
  std::vector<const onnx::TensorProto*> weights;
  for (const onnx::TensorProto& weight : model.graph().initializer()) weights.push_back(&weight);
  std::ranges::stable_sort(weights, std::greater(), [](const auto* weight) { return model::data_bytes(*weight); });
  GraphTensors tensors(graph);
  for (const onnx::TensorProto* weight : weights) {
    const std::uint64_t size = model::data_bytes(*weight);
    if (count == 0) break;
    if (size > bytes) continue;
    PageTensor* tensor = tensors.find(weight->name());
    const auto values = model::read_weight(model, *weight);
    if (tensor == nullptr || !values) continue;
    tensor->statistics = statistics_of({{.side = {}, .values = *values}});
    bytes -= size;
    --count;
  }
}

GraphTensors::GraphTensors(report::PageGraph& graph) : graph_(graph) {
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) index_.emplace(graph.tensors[i].name, i);
}

report::PageTensor* GraphTensors::find(const std::string& name) {
  const auto at = index_.find(name);
  return at == index_.end() ? nullptr : &graph_.tensors[at->second];
}

report::PageTensor& GraphTensors::find_or_add(const std::string& name) {
  const auto [at, is_new] = index_.emplace(name, graph_.tensors.size());
  if (is_new) graph_.tensors.push_back({.name = name});
  return graph_.tensors[at->second];
}

void set_errors(report::PageGraph& graph, const std::vector<report::PageTensor>& errors) {
  GraphTensors tensors(graph);
  for (const report::PageTensor& error : errors) {
    report::PageTensor& tensor = tensors.find_or_add(error.name);
    tensor.absolute = error.absolute;
    tensor.relative = error.relative;
    tensor.norm = error.norm;
    tensor.agrees = error.agrees;
    tensor.origin = error.origin;
  }
}

void open_at(report::PageGraph& graph, const std::string& tensor) {
  const auto found = std::ranges::find(graph.tensors, tensor, &report::PageTensor::name);
  if (found != graph.tensors.end()) graph.opens_at = static_cast<std::int32_t>(found - graph.tensors.begin());
}

}  // namespace assay::pages
