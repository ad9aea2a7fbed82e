// Removes outputs of If, Loop and Scan that nothing reads, from the node and from its bodies. What a Loop or Scan
// carried for them is removed as well; a body that read it reads the initial value instead. Inputs that a Scan scans
// and its body doesn't read are removed, too. Everything of a node is tried at once first, then each output alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "edit/rename_tensors.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/loop_parts.h"
#include "reduce/passes/bodies/body_passes.h"

namespace assay::reduce {
namespace {

template <class Field>
void erase(Field& field, int index) {
  field.erase(field.begin() + index);
}

onnx::GraphProto* body_of(onnx::NodeProto& node, std::string_view name) {
  onnx::AttributeProto* attribute = find_attribute(node, name);
  return attribute != nullptr && attribute->has_g() ? attribute->mutable_g() : nullptr;
}

void erase_entry(onnx::NodeProto& node, std::initializer_list<std::string_view> lists, int index) {
  for (const std::string_view name : lists) {
    onnx::AttributeProto* list = find_attribute(node, name);
    if (list != nullptr && index < list->ints_size()) erase(*list->mutable_ints(), index);
  }
}

// A copy of an If, Loop or Scan from which outputs are removed. Each step returns whether it was possible.
class Trimmed {
 public:
  explicit Trimmed(const onnx::NodeProto& node) : node_(node) {}

  // Returns how many of the outputs are carried from iteration to iteration, or -1 if the node is invalid or has
  // another operator.
  [[nodiscard]] int carried() const {
    if (is_operator(node_, "If")) return 0;
    if (const auto loop = read_loop(node_)) return loop->states;
    if (const auto scan = read_scan(node_)) return scan->states;
    return -1;
  }

  bool drop_output(int index) {
    if (is_operator(node_, "If")) return drop_from_branches(index);
    onnx::GraphProto& body = *body_of(node_, "body");
    const int count = carried();
    const bool loop = is_operator(node_, "Loop");
    if (index < count && !drop_carried(body, index + (loop ? kBeforeStates : 0))) return false;
    if (index >= count && !loop) {
      erase_entry(node_, {"scan_output_axes", "scan_output_directions"}, index - count);
    }
    erase(*body.mutable_output(), index + (loop ? 1 : 0));
    erase(*node_.mutable_output(), index);
    return true;
  }

  bool drop_scanned(int index) {  // `index`: an input of the node
    onnx::GraphProto& body = *body_of(node_, "body");
    onnx::AttributeProto& scanned = *find_attribute(node_, "num_scan_inputs");
    const std::string& name = body.input(index).name();
    if (scanned.i() < 2 || is_read(body, name) || is_output(body, name)) return false;
    erase_entry(node_, {"scan_input_axes", "scan_input_directions"}, index - carried());
    erase(*body.mutable_input(), index);
    erase(*node_.mutable_input(), index);
    scanned.set_i(scanned.i() - 1);
    return true;
  }

  [[nodiscard]] const onnx::NodeProto& node() const { return node_; }

 private:
  bool drop_from_branches(int index) {
    for (const std::string_view name : model::kBranches) {
      onnx::GraphProto* branch = body_of(node_, name);
      if (branch == nullptr || branch->output_size() != node_.output_size()) return false;
      erase(*branch->mutable_output(), index);
    }
    erase(*node_.mutable_output(), index);
    return true;
  }

  // `input`: an index for the node and the body, whose inputs have the same order.
  bool drop_carried(onnx::GraphProto& body, int input) {
    const std::string inner = body.input(input).name();
    const std::string outer = node_.input(input);
    const auto uses = std::count_if(body.output().begin(), body.output().end(),
                                    [&](const onnx::ValueInfoProto& output) { return output.name() == inner; });
    const int own = input - (is_operator(node_, "Loop") ? 1 : 0);  // the corresponding output
    if (outer.empty() || uses > (body.output(own).name() == inner ? 1 : 0)) return false;
    erase(*body.mutable_input(), input);
    erase(*node_.mutable_input(), input);
    if (is_read(body, inner)) edit::rename_tensors(body, {{inner, outer}});
    return true;
  }

  onnx::NodeProto node_;
};

// Drops outputs by their numbers, and scanned inputs that the body doesn't use.
std::optional<edit::ModelChange> trim(const Place& place, const onnx::NodeProto& node, const std::vector<int>& outputs,
                                      const std::vector<int>& scanned) {
  Trimmed trimmed(node);
  std::size_t dropped = 0;
  for (auto at = outputs.rbegin(); at != outputs.rend(); ++at) {
    if (trimmed.node().output_size() > 1 && trimmed.drop_output(*at)) ++dropped;
  }
  const int before = node.input_size() - trimmed.node().input_size();  // carried inputs, which come first
  for (auto at = scanned.rbegin(); at != scanned.rend(); ++at) {
    if (trimmed.drop_scanned(*at - before)) ++dropped;
  }
  if (dropped == 0) return std::nullopt;
  edit::ModelChange change;
  change.what = fmt::format("{} of the inputs and outputs of {} dropped", dropped, model::describe_node(node));
  edit::ReplaceNode replace;
  replace.node = reference_to(place, node);
  replace.with.push_back(trimmed.node());
  change.primitives.emplace_back(std::move(replace));
  return change;
}

}  // namespace

std::vector<edit::ModelChange> drop_body_outputs(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  for (const Place& place : graphs_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      const int carried = Trimmed(node).carried();
      if (carried < 0) continue;
      std::vector<int> outputs, scanned;
      for (int i = 0; i < node.output_size(); ++i) {
        const std::string& name = node.output(i);
        if (name.empty() || (!is_read(*place.graph, name) && !is_output(*place.graph, name))) outputs.push_back(i);
      }
      if (is_operator(node, "Scan")) {
        for (int i = carried; i < node.input_size(); ++i) scanned.push_back(i);
      }
      if (auto change = trim(place, node, outputs, scanned)) changes.push_back(*std::move(change));
      if (outputs.size() < 2) continue;
      for (const int output : outputs) {
        if (auto change = trim(place, node, {output}, {})) changes.push_back(*std::move(change));
      }
    }
  }
  return changes;
}

}  // namespace assay::reduce
