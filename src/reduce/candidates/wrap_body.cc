// Works on copies of the node, the candidate's graph and the other branch. The candidate's inputs and outputs are
// matched by name with those of the old body: what matches keeps its role, everything else becomes a new scanned input,
// an input or output of the model, or a captured tensor. New tensors of the outer graph get names that are unused in
// the whole model, so that nothing in the body hides them.
#include "reduce/candidates/wrap_body.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/rename_tensors.h"
#include "model/graph_view.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/zeros.h"

namespace assay::reduce {
namespace {

using Names = std::unordered_set<std::string>;

std::vector<std::int64_t> integers(const onnx::NodeProto& node, std::string_view name, std::size_t count) {
  std::vector<std::int64_t> numbers(count, 0);
  if (const onnx::AttributeProto* attribute = find_attribute(node, name)) {
    for (std::size_t i = 0; i < count && std::cmp_less(i, attribute->ints_size()); ++i) {
      numbers[i] = attribute->ints(static_cast<int>(i));
    }
  }
  return numbers;
}

onnx::AttributeProto& attribute_of(onnx::NodeProto& node, std::string_view name) {
  if (onnx::AttributeProto* attribute = find_attribute(node, name)) return *attribute;
  onnx::AttributeProto& added = *node.add_attribute();
  added.set_name(std::string(name));
  return added;
}

void set_integers(onnx::NodeProto& node, std::string_view name, const std::vector<std::int64_t>& numbers) {
  const bool standard = std::ranges::all_of(numbers, [](std::int64_t number) { return number == 0; });
  if (standard && find_attribute(node, name) == nullptr) return;
  onnx::AttributeProto& attribute = attribute_of(node, name);
  attribute.set_type(onnx::AttributeProto::INTS);
  attribute.clear_ints();
  for (const std::int64_t number : numbers) attribute.add_ints(number);
}

void drop_dead_nodes(onnx::GraphProto& graph) {
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const bool needed = std::ranges::any_of(graph.node(i).output(), [&](const std::string& name) {
      return !name.empty() && (is_output(graph, name) || is_read(graph, name));
    });
    if (!needed) graph.mutable_node()->DeleteSubrange(i, 1);
  }
}

// Fits one candidate into a copy of the node.
class Wrapping {
 public:
  Wrapping(const onnx::GraphProto& outer, const edit::KnownValues& known, const onnx::NodeProto& node,
           const std::string& attribute, const onnx::GraphProto& candidate)
      : outer_(outer),
        known_(known),
        before_(node),
        old_(*find_body(node, attribute)),
        node_(node),
        candidate_(candidate),
        body_(candidate),
        names_(outer_),
        attribute_(attribute) {
    for (const onnx::ValueInfoProto& value : candidate_.input()) inputs_.emplace(value.name(), &value);
    for (const onnx::ValueInfoProto& value : candidate_.output()) outputs_.emplace(value.name(), &value);
    for (const std::string& name : model::captured_names(old_)) captured_.insert(name);
    body_.clear_input();
    body_.clear_output();
    body_.set_name(old_.name());
    auto& weights = *body_.mutable_initializer();
    for (int i = weights.size() - 1; i >= 0; --i) {
      if (captured_.contains(weights.Get(i).name())) weights.DeleteSubrange(i, 1);
    }
    node_.clear_output();
  }

  std::optional<edit::ModelChange> run() {
    const bool done = is_operator(before_, "Scan") ? fit_scan() : is_operator(before_, "Loop") ? fit_loop() : fit_if();
    if (!done || node_.output().empty()) return std::nullopt;
    *attribute_of(node_, attribute_).mutable_g() = std::move(body_);
    edit::ReplaceNode replace;
    replace.node = reference_to({{}, &outer_}, before_);
    replace.with.push_back(std::move(node_));
    change_.primitives.emplace_back(std::move(replace));
    return std::move(change_);
  }

 private:
  [[nodiscard]] bool takes(const std::string& name) const { return inputs_.contains(name); }
  // Returns whether the candidate returns this tensor and no earlier call claimed it, and claims it.
  bool claim_output(const std::string& name) { return outputs_.contains(name) && claimed_.insert(name).second; }

  void keep_state(const onnx::ValueInfoProto& in, const onnx::ValueInfoProto& out, const std::string& initial,
                  const std::string& result) {
    node_.add_input(initial);
    *body_.add_input() = in;
    *body_.add_output() = out;
    node_.add_output(result);
    placed_.insert(in.name());
  }

  void add_outer_input(onnx::ValueInfoProto value, const std::string& name) {
    value.set_name(name);
    edit::SetInput input;
    input.value = std::move(value);
    change_.primitives.emplace_back(std::move(input));
  }

  // Returns the type of `value` with one more dimension in front.
  [[nodiscard]] onnx::ValueInfoProto stacked(const onnx::ValueInfoProto& value) const {
    onnx::ValueInfoProto result = value;
    if (!has_shape(value)) return result;
    onnx::TensorShapeProto& shape = *result.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.Clear();
    *shape.add_dim() = length_;
    for (const auto& dim : value.type().tensor_type().shape().dim()) *shape.add_dim() = dim;
    return result;
  }

  // Adds all unclaimed outputs, stacked, under their old outer names or as new outputs of the model. Returns their
  // axes.
  std::vector<std::int64_t> stack_outputs(int first_old, int offset, const std::vector<std::int64_t>& old_axes) {
    std::vector<std::int64_t> axes;
    for (const onnx::ValueInfoProto& value : candidate_.output()) {
      if (!claim_output(value.name())) continue;
      *body_.add_output() = value;
      std::int64_t axis = 0;
      std::string name;
      for (int i = first_old; i < before_.output_size() && name.empty(); ++i) {
        if (old_.output(i + offset).name() != value.name()) continue;
        name = before_.output(i);
        if (const auto number = static_cast<std::size_t>(i - first_old); number < old_axes.size())
          axis = old_axes[number];
      }
      if (name.empty()) {
        name = names_.make(value.name());
        edit::SetOutput output;
        output.value = stacked(value);
        output.value.set_name(name);
        change_.primitives.emplace_back(std::move(output));
      }
      node_.add_output(name);
      axes.push_back(axis);
    }
    return axes;
  }

  // The attributes of a Scan's scanned inputs.
  struct Scanned {
    std::vector<std::int64_t> axes{}, backward{};
  };

  void scan(const onnx::ValueInfoProto& inner, const std::string& outer, std::int64_t axis, std::int64_t backward,
            Scanned& scanned) {
    *body_.add_input() = inner;
    node_.add_input(outer);
    scanned.axes.push_back(axis);
    scanned.backward.push_back(backward);
    placed_.insert(inner.name());
  }

  bool fit_scan() {
    const onnx::AttributeProto* count = find_attribute(before_, "num_scan_inputs");
    if (count == nullptr || count->i() < 1) return false;
    const auto inputs = static_cast<std::size_t>(count->i());
    const int states = before_.input_size() - static_cast<int>(inputs);
    if (states < 0 || old_.input_size() != before_.input_size() || old_.output_size() != before_.output_size() ||
        old_.output_size() < states) {
      return false;
    }
    const Scanned old{integers(before_, "scan_input_axes", inputs), integers(before_, "scan_input_directions", inputs)};
    find_length(before_.input(states), old.axes.front());
    node_.clear_input();
    for (int i = 0; i < states; ++i) {
      if (!takes(old_.input(i).name()) || !claim_output(old_.output(i).name())) continue;
      keep_state(old_.input(i), *outputs_.at(old_.output(i).name()), before_.input(i), before_.output(i));
    }
    Scanned now;
    for (int i = states; i < before_.input_size(); ++i) {
      const auto number = static_cast<std::size_t>(i - states);
      if (!takes(old_.input(i).name())) continue;
      scan(old_.input(i), before_.input(i), old.axes[number], old.backward[number], now);
    }
    if (!scan_new_inputs(states, now)) return false;
    if (now.axes.empty()) scan(old_.input(states), before_.input(states), old.axes.front(), old.backward.front(), now);
    set_scan_attributes(now, states);
    return true;
  }

  // Scans inputs that a cut created and states that aren't carried any more.
  bool scan_new_inputs(int states, Scanned& scanned) {
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

  void set_scan_attributes(const Scanned& scanned, int states) {
    const auto stacked_before = static_cast<std::size_t>(before_.output_size() - states);
    const auto out_axes = stack_outputs(states, 0, integers(before_, "scan_output_axes", stacked_before));
    set_integers(node_, "scan_input_axes", scanned.axes);
    set_integers(node_, "scan_input_directions", scanned.backward);
    set_integers(node_, "scan_output_axes", out_axes);
    set_integers(node_, "scan_output_directions", std::vector<std::int64_t>(out_axes.size(), 0));
    attribute_of(node_, "num_scan_inputs").set_i(static_cast<std::int64_t>(scanned.axes.size()));
  }

  // Finds the number of steps, as far as it is known.
  void find_length(const std::string& tensor, std::int64_t axis) {
    const auto type = type_of(outer_, tensor, known_);
    if (!type || !has_shape(*type)) return;
    const auto& shape = type->type().tensor_type().shape();
    if (axis < 0) axis += shape.dim_size();
    if (axis >= 0 && axis < shape.dim_size()) length_ = shape.dim(static_cast<int>(axis));
  }

  // If an input was a state that starts with a constant and isn't carried any more, gives the body that constant.
  bool keep_initial_value(const std::string& inner, int states) {
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

  bool fit_loop() {
    const int states = before_.input_size() - 2;
    if (states < 0 || old_.input_size() != states + 2 || old_.output_size() != before_.output_size() + 1) return false;
    node_.mutable_input()->DeleteSubrange(2, states);
    for (int i = 0; i < 2; ++i) {
      *body_.add_input() = old_.input(i);
      placed_.insert(old_.input(i).name());
    }
    *body_.add_output() = claim_output(old_.output(0).name()) ? old_.output(0) : old_.input(1);
    edit::Renames renames;
    for (int i = 0; i < states; ++i) {
      const std::string& inner = old_.input(i + 2).name();
      if (!takes(inner)) continue;
      if (claim_output(old_.output(i + 1).name())) {
        keep_state(old_.input(i + 2), *outputs_.at(old_.output(i + 1).name()), before_.input(i + 2), before_.output(i));
      } else {
        placed_.insert(inner);
        renames.emplace(inner, before_.input(i + 2));
      }
    }
    if (!capture_inputs(renames)) return false;
    stack_outputs(states, 1, {});
    edit::rename_tensors(body_, renames);
    return true;
  }

  // Makes the body read inputs that a cut created from the outer graph.
  bool capture_inputs(edit::Renames& renames) {
    for (const onnx::ValueInfoProto& value : candidate_.input()) {
      if (placed_.contains(value.name()) || captured_.contains(value.name())) continue;
      if (!has_shape(value)) return false;
      const std::string name = names_.keep_or_make(value.name());
      if (name != value.name()) renames.emplace(value.name(), name);
      add_outer_input(value, name);
    }
    return true;
  }

  bool fit_if() {
    const std::string_view other_name = attribute_ == "then_branch" ? "else_branch" : "then_branch";
    const onnx::GraphProto* other_old = find_body(before_, other_name);
    if (other_old == nullptr || old_.output_size() != before_.output_size()) return false;
    if (other_old->output_size() != before_.output_size()) return false;
    onnx::GraphProto other = *other_old;
    other.clear_output();
    edit::Renames renames;
    if (!capture_inputs(renames)) return false;
    for (int i = 0; i < before_.output_size(); ++i) {
      if (!claim_output(old_.output(i).name())) continue;
      *body_.add_output() = *outputs_.at(old_.output(i).name());
      *other.add_output() = other_old->output(i);
      node_.add_output(before_.output(i));
    }
    for (const onnx::ValueInfoProto& value : candidate_.output()) {
      if (!claim_output(value.name())) continue;
      if (!has_shape(value)) return false;
      const std::string name = names_.make(value.name());
      *body_.add_output() = value;
      if (!add_constant_output(other, value)) return false;
      edit::SetOutput output;
      output.value = value;
      output.value.set_name(name);
      change_.primitives.emplace_back(std::move(output));
      node_.add_output(name);
    }
    edit::rename_tensors(body_, renames);
    drop_dead_nodes(other);
    *attribute_of(node_, other_name).mutable_g() = std::move(other);
    return true;
  }

  // Adds an output to the other branch that matches a new one of this branch. Its value doesn't matter.
  bool add_constant_output(onnx::GraphProto& graph, const onnx::ValueInfoProto& like) {
    onnx::ValueInfoProto output = like;
    output.set_name(names_.make(like.name()));
    auto zeros = zeros_node(output);
    if (!zeros) return false;
    *graph.add_node() = *std::move(zeros);
    *graph.add_output() = std::move(output);
    return true;
  }

  const onnx::GraphProto& outer_;
  const edit::KnownValues& known_;
  const onnx::NodeProto& before_;
  const onnx::GraphProto& old_;  // the node's current body
  onnx::NodeProto node_;
  const onnx::GraphProto& candidate_;
  onnx::GraphProto body_;  // the node's new body
  FreshNames names_;
  std::string attribute_;
  std::unordered_map<std::string, const onnx::ValueInfoProto*> inputs_, outputs_;  // the candidate's
  Names captured_, placed_, claimed_;
  onnx::TensorShapeProto::Dimension length_;
  edit::ModelChange change_;
};

}  // namespace

std::optional<edit::ModelChange> wrap_body(const onnx::GraphProto& outer, const edit::KnownValues& known,
                                           const onnx::NodeProto& node, const std::string& attribute,
                                           const onnx::GraphProto& candidate) {
  return Wrapping(outer, known, node, attribute, candidate).run();
}

}  // namespace assay::reduce
