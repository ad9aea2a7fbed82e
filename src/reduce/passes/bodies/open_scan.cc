// Replaces a Scan by its first step: its states start with the initial values, and of every scanned tensor the body
// gets one slice. There are three ways to get a slice, each a proposal of its own, since the failure may need any of
// them: a node takes it from the tensor (what the Scan itself saw), it is a new graph input (the simplest), or it is a
// constant with the recorded value (if the failure needs the value, and what computes it can't stay). Slices of
// constants are always computed here.
#include <fmt/format.h>
#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "model/weights.h"
#include "reduce/candidates/constants.h"
#include "reduce/candidates/loop_parts.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/scan_outputs.h"

namespace assay::reduce {
namespace {

// Returns nothing if the Scan is invalid.
std::optional<ScanParts> openable(const onnx::NodeProto& node) {
  const bool named = std::ranges::none_of(node.input(), &std::string::empty);
  return named ? read_scan(node) : std::nullopt;
}

// Returns the first or last slice along an axis, which may count from the end; nothing if the axis is empty, or if
// elements aren't whole bytes.
std::optional<tensor::Tensor> slice(const tensor::Tensor& from, std::int64_t axis, bool last) {
  const auto rank = static_cast<std::int64_t>(from.shape().size());
  if (axis < 0) axis += rank;
  const std::size_t bits = tensor::info(from.type()).bits;
  if (axis < 0 || axis >= rank || bits < 8) return std::nullopt;
  const auto at = from.shape().begin() + axis;
  if (*at < 1) return std::nullopt;
  const auto outer = tensor::element_count({from.shape().begin(), at});
  const auto inner = tensor::element_count({at + 1, from.shape().end()});
  if (!outer || !inner) return std::nullopt;
  const std::size_t piece = *inner * (bits / 8);
  std::vector<std::byte> bytes(*outer * piece);
  const std::size_t step = piece * static_cast<std::size_t>(*at);
  const std::byte* source = from.bytes().data() + (last ? step - piece : 0);
  for (std::size_t i = 0; piece > 0 && i < *outer; ++i) {
    std::memcpy(bytes.data() + i * piece, source + i * step, piece);
  }
  tensor::Shape shape = from.shape();
  shape.erase(shape.begin() + axis);
  auto result = tensor::Tensor::make(from.type(), std::move(shape), tensor::Buffer::own(std::move(bytes)));
  return result ? std::optional(*std::move(result)) : std::nullopt;
}

enum class Slices { by_node, as_inputs, recorded };

class Opener {
 public:
  Opener(const PassInput& input, FreshNames& names) : input_(input), names_(names) {
    opset_ = model::default_opset(input.model.proto);
  }

  std::optional<edit::ModelChange> open(const Place& place, const onnx::NodeProto& node, Slices slices) {
    const auto scan = openable(node);
    if (!scan) return std::nullopt;
    head_ = {};
    inputs_.clear();
    std::vector<std::string> inner{node.input().begin(), node.input().begin() + scan->states};
    bool differs = slices == Slices::by_node;  // whether this differs from the first proposal
    for (int i = scan->states; i < node.input_size(); ++i) {
      const auto number = static_cast<std::size_t>(i - scan->states);
      inner.push_back(names_.keep_or_make(scan->body->input(i).name()));
      const Scanned scanned{node.input(i), inner.back(), scan->body->input(i).name(), scan->input_axes[number],
                            scan->input_backward[number] != 0};
      if (const auto value = constant(*place.graph, scanned)) {
        head_.initializers.push_back(model::to_proto(scanned.slice, *value));
        continue;
      }
      const auto seen = slices == Slices::recorded ? recorded(scanned) : std::nullopt;
      differs = differs || slices == Slices::as_inputs || seen.has_value();
      if (seen) {
        head_.initializers.push_back(model::to_proto(scanned.slice, *seen));
      } else if (slices != Slices::as_inputs) {
        take_by_node(scanned);
      } else if (!make_input(*scan->body, scanned)) {
        return std::nullopt;
      }
    }
    if (!differs) return std::nullopt;
    return finish(place, node, *scan, inner, slices);
  }

 private:
  struct Scanned {
    std::string tensor, slice, in_body;
    std::int64_t axis;
    bool last;
  };

  std::optional<tensor::Tensor> constant(const onnx::GraphProto& graph, const Scanned& scanned) const {
    const auto value = find_value(input_.model, graph, scanned.tensor);
    return value ? slice(*value, scanned.axis, scanned.last) : std::nullopt;
  }

  std::optional<tensor::Tensor> recorded(const Scanned& scanned) const {
    const tensor::Tensor* value = input_.values.find(scanned.tensor);
    return value != nullptr ? slice(*value, scanned.axis, scanned.last) : std::nullopt;
  }

  void take_by_node(const Scanned& scanned) {
    const std::string index = names_.make(scanned.slice + "_index");
    head_.initializers.push_back(int64_scalar(index, scanned.last ? -1 : 0));
    onnx::NodeProto& node = head_.nodes.emplace_back();
    node.set_op_type("Gather");
    node.add_input(scanned.tensor);
    node.add_input(index);
    node.add_output(scanned.slice);
    *node.add_attribute() = onnx::MakeAttribute("axis", scanned.axis);
  }

  bool make_input(const onnx::GraphProto& body, const Scanned& scanned) {
    auto type = type_of(body, scanned.in_body, input_.known);
    if (!type || !type->type().tensor_type().has_shape()) return false;
    type->set_name(scanned.slice);
    inputs_.push_back(*std::move(type));
    return true;
  }

  std::optional<edit::ModelChange> finish(const Place& place, const onnx::NodeProto& node, const ScanParts& scan,
                                          const std::vector<std::string>& inner, Slices slices) {
    ScanOutputs stacked(place, node, scan.states, *scan.body, 0, input_.known);
    auto opened = open_body(*scan.body, inner, stacked.slice_names(names_), names_);
    if (!opened) return std::nullopt;
    opened->nodes.insert(opened->nodes.begin(), head_.nodes.begin(), head_.nodes.end());
    opened->initializers.insert(opened->initializers.begin(), head_.initializers.begin(), head_.initializers.end());
    stacked.stack(*opened, scan.output_axes, opset_, names_);
    constexpr std::array<std::string_view, 3> kHow{"", ", its slices as inputs", ", its slices as recorded"};
    edit::ModelChange change =
        put_in_place(place, node, *std::move(opened),
                     fmt::format("{} replaced by one step of its body{}", model::describe_node(node),
                                 kHow.at(static_cast<std::size_t>(slices))));
    for (onnx::ValueInfoProto& value : inputs_) change.primitives.emplace_back(edit::SetInput{std::move(value)});
    stacked.declare(change, scan.output_axes);
    return change;
  }

  const PassInput& input_;
  FreshNames& names_;
  int opset_ = 0;
  OpenedBody head_;  // computes the slices
  std::vector<onnx::ValueInfoProto> inputs_;
};

}  // namespace

std::vector<edit::ModelChange> open_scan(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  // Before version 9, Scan was a different operator, which scanned a batch.
  if (model::default_opset(input.model.proto) < 9) return changes;
  FreshNames names(input.model.graph());
  Opener opener(input, names);
  for (const Place& place : graphs_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (!is_operator(node, "Scan")) continue;
      for (const Slices slices : {Slices::by_node, Slices::as_inputs, Slices::recorded}) {
        if (auto change = opener.open(place, node, slices)) changes.push_back(*std::move(change));
      }
    }
  }
  return changes;
}

}  // namespace assay::reduce
