#include "reduce/candidates/loop_parts.h"

#include <string_view>

#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {
namespace {

// Returns the integers of an attribute, filled up with zeros or cut to `count`.
std::vector<std::int64_t> integers(const onnx::NodeProto& node, std::string_view name, int count) {
  std::vector<std::int64_t> numbers;
  const onnx::AttributeProto* attribute = find_attribute(node, name);
  if (attribute != nullptr) numbers.assign(attribute->ints().begin(), attribute->ints().end());
  numbers.resize(static_cast<std::size_t>(count), 0);
  return numbers;
}

}  // namespace

std::optional<LoopParts> read_loop(const onnx::NodeProto& node) {
  const onnx::GraphProto* body = is_operator(node, "Loop") ? find_body(node, "body") : nullptr;
  const int states = node.input_size() - kBeforeStates;
  const bool fits = body != nullptr && states >= 0 && body->input_size() == node.input_size() &&
                    body->output_size() == node.output_size() + 1 && node.output_size() >= states;
  return fits ? std::optional(LoopParts{.body = body, .states = states}) : std::nullopt;
}

std::optional<ScanParts> read_scan(const onnx::NodeProto& node) {
  const onnx::GraphProto* body = is_operator(node, "Scan") ? find_body(node, "body") : nullptr;
  const std::int64_t scanned = model::int_attribute(node, "num_scan_inputs", 0);
  if (body == nullptr || scanned < 1 || scanned > node.input_size()) return std::nullopt;
  const int inputs = static_cast<int>(scanned);
  const int states = node.input_size() - inputs;
  const int stacked = node.output_size() - states;
  const bool fits =
      body->input_size() == node.input_size() && body->output_size() == node.output_size() && stacked >= 0;
  if (!fits) return std::nullopt;
  return ScanParts{.body = body,
                   .states = states,
                   .input_axes = integers(node, "scan_input_axes", inputs),
                   .input_backward = integers(node, "scan_input_directions", inputs),
                   .output_axes = integers(node, "scan_output_axes", stacked),
                   .output_backward = integers(node, "scan_output_directions", stacked)};
}

}  // namespace assay::reduce
