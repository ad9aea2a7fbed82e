// A Scan must scan at least one input, which decides the number of steps: if the candidate needs none, the first one
// stays.
#include <algorithm>
#include <utility>

#include "reduce/candidates/constants.h"
#include "reduce/candidates/wrapping.h"

namespace assay::reduce {
namespace {

void set_integers(onnx::NodeProto& node, std::string_view name, const std::vector<std::int64_t>& numbers) {
  const bool standard = std::ranges::all_of(numbers, [](std::int64_t number) { return number == 0; });
  if (standard && find_attribute(node, name) == nullptr) return;
  onnx::AttributeProto& attribute = attribute_of(node, name);
  attribute.set_type(onnx::AttributeProto::INTS);
  attribute.clear_ints();
  for (const std::int64_t number : numbers) attribute.add_ints(number);
}

}  // namespace

void ScanWrapping::scan(const onnx::ValueInfoProto& inner, const std::string& outer, std::int64_t axis,
                        std::int64_t backward, Scanned& scanned) {
  *body_.add_input() = inner;
  node_.add_input(outer);
  scanned.axes.push_back(axis);
  scanned.backward.push_back(backward);
  placed_.insert(inner.name());
}

bool ScanWrapping::fit() {
  const auto old = read_scan(before_);
  if (!old || old->body != &old_) return false;
  const int states = old->states;
  find_length(before_.input(states), old->input_axes.front());
  node_.clear_input();
  for (int i = 0; i < states; ++i) {
    if (!takes(old_.input(i).name()) || !claim_output(old_.output(i).name())) continue;
    keep_state(old_.input(i), *outputs_.at(old_.output(i).name()), before_.input(i), before_.output(i));
  }
  Scanned now;
  for (int i = states; i < before_.input_size(); ++i) {
    const auto number = static_cast<std::size_t>(i - states);
    if (!takes(old_.input(i).name())) continue;
    scan(old_.input(i), before_.input(i), old->input_axes[number], old->input_backward[number], now);
  }
  if (!scan_new_inputs(states, now)) return false;
  if (now.axes.empty())
    scan(old_.input(states), before_.input(states), old->input_axes.front(), old->input_backward.front(), now);
  set_scan_attributes(now, *old);
  return true;
}

bool ScanWrapping::scan_new_inputs(int states, Scanned& scanned) {
  for (const onnx::ValueInfoProto& value : candidate_.input()) {
    if (placed_.contains(value.name()) || captured_.contains(value.name())) continue;
    if (keep_initial_value(value.name(), states)) continue;
    if (!has_shape(value)) return false;
    const std::string name = names_.make(value.name());
    add_outer_input(stacked(value), name);
    scan(value, name, 0, 0, scanned);
  }
  return true;
}

void ScanWrapping::set_scan_attributes(const Scanned& scanned, const ScanParts& old) {
  const Scanned added = stack_outputs(old.states, 0, {old.output_axes, old.output_backward});
  set_integers(node_, "scan_input_axes", scanned.axes);
  set_integers(node_, "scan_input_directions", scanned.backward);
  set_integers(node_, "scan_output_axes", added.axes);
  set_integers(node_, "scan_output_directions", added.backward);
  attribute_of(node_, "num_scan_inputs").set_i(static_cast<std::int64_t>(scanned.axes.size()));
}

void ScanWrapping::find_length(const std::string& tensor, std::int64_t axis) {
  const auto type = type_of(outer_, tensor, known_);
  if (!type || !has_shape(*type)) return;
  const auto& shape = type->type().tensor_type().shape();
  if (axis < 0) axis += shape.dim_size();
  if (axis >= 0 && axis < shape.dim_size()) length_ = shape.dim(static_cast<int>(axis));
}

bool ScanWrapping::keep_initial_value(const std::string& inner, int states) {
  for (int i = 0; i < states; ++i) {
    const onnx::TensorProto* weight = find_weight(outer_, before_.input(i));
    if (old_.input(i).name() != inner || weight == nullptr) continue;
    onnx::TensorProto& copy = *body_.add_initializer();
    copy = *weight;
    copy.set_name(inner);
    return true;
  }
  return false;
}

}  // namespace assay::reduce
