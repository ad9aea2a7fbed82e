// Copes with a failing engine: finds the failing node and computes the node's outputs in another way, so that the first
// engine can continue after it. In order of preference, another engine runs the node alone, with its inputs as
// constants, or evaluate_small computes it. If neither works, the node is broken, and everything that depends on it is
// given up, except sizes that shape inference finds.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/at.h"
#include "base/shorten_middle.h"
#include "edit/node_places.h"
#include "model/weights.h"
#include "reduce/values/choose_inputs.h"
#include "reduce/values/engine_reference.h"
#include "reduce/values/evaluate_small.h"
#include "reduce/values/infer_static_shapes.h"
#include "worker/telling_line.h"

namespace assay::reduce {
namespace {

using base::at;

constexpr std::uint64_t kMostFrozen = std::uint64_t{64} << 20;  // most bytes of constants for running a node alone

std::string shorten(const std::string& message) {
  constexpr std::size_t kShown = 200;
  return base::shorten_middle(worker::telling_line(message), kShown);
}

bool tells_shapes(const onnx::NodeProto& node) {
  return edit::is_operator(node, "Shape") || edit::is_operator(node, "Size");
}

}  // namespace

void EngineReference::drop_blocked(Tensors& wanted) {
  const std::vector<const std::string*> why = failed_.reasons();
  std::erase_if(wanted, [&](edit::TensorId id) {
    if (failed_.is_replaced(id) || missing_.contains(id)) return true;
    const std::string* reason = why[at(id)];
    if (reason == nullptr && engines_.empty()) reason = failed_.any_reason();
    if (reason == nullptr && subject_.view().producer(id) != edit::kNone) return false;
    miss(id, reason != nullptr ? *reason : "no node produces it");
    return true;
  });
}

void EngineReference::look_into(const Tensors& wanted, worker::Failure failure) {
  if (!engine_is_usable_) {
    engine_is_usable_ = parts_.is_usable(engines_.front());
    if (!engine_is_usable_) {
      engines_.erase(engines_.begin());
      if (engines_.empty()) evaluate_without_engine();
      return;
    }
  }
  const std::vector<edit::NodeId> nodes = parts_.producers(wanted, failed_.replaced());
  if (nodes.empty()) {
    for (const edit::TensorId id : wanted) miss(id, shorten(worker::describe(failure)));
    return;
  }
  const FailingNode failing =
      find_failing_node(parts_, engines_.front(), nodes, 0, failed_.replaced(), *given_, std::move(failure));
  const edit::NodeId node = nodes[failing.number];
  if (compute_alone(node)) return;
  give_up(node, fmt::format("{} fails: {}", model::describe_node(subject_.view().node(node)),
                            shorten(worker::to_error(failing.failure, engines_.front().kind).message())));
}

// The engine can compute the node's inputs, since the node is the first at which it fails.
bool EngineReference::compute_alone(edit::NodeId node) {
  Tensors outputs(subject_.view().outputs(node).begin(), subject_.view().outputs(node).end());
  EngineParts::Values known;  // of the node's inputs
  Tensors needed;
  for (const edit::TensorId id : subject_.view().inputs(node)) {
    if (subject_.is_constant(id) || known.contains(id)) continue;
    if (const auto replaced = failed_.replaced().find(id); replaced != failed_.replaced().end()) {
      known.insert(*replaced);
    } else if (const tensor::Tensor* value = find(std::string(subject_.view().name(id)))) {
      known.emplace(id, *value);
    } else if (subject_.view().producer(id) != edit::kNone) {
      needed.push_back(id);
    }
  }
  if (!needed.empty()) {
    const auto before = parts_.producers(needed, failed_.replaced());
    auto values = parts_.load_and_run(engines_.front(), before, needed, failed_.replaced(), *given_);
    if (!values) return false;
    for (const auto& [name, value] : *values) known.emplace(subject_.view().find(name), value);
  }
  std::uint64_t bytes = 0;
  for (const auto& [id, value] : known) bytes += value.bytes().size();
  for (std::size_t i = 1; i < engines_.size() && bytes <= kMostFrozen; ++i) {
    const auto values = parts_.load_and_run(engines_[i], {node}, outputs, known, {});
    if (!values || values->size() != outputs.size() || !store(*values)) continue;
    for (const auto& [name, value] : *values) failed_.replace(subject_.view().find(name), value);
    return true;
  }
  return compute_without_engine(node, known);
}

bool EngineReference::compute_without_engine(edit::NodeId node, const EngineParts::Values& known) {
  const auto outputs = subject_.view().outputs(node);
  if (outputs.size() != 1) return false;
  const auto value = evaluate_small(subject_.view().node(node), inputs_of(node, known));
  if (!value || !computed_.set(std::string(subject_.view().name(outputs[0])), *value)) return false;
  failed_.replace(outputs[0], *value);
  return true;
}

// Other nodes with the same operator may work, with other inputs or attributes, so they aren't given up with this one:
// whether they are would depend on the order of questions.
void EngineReference::give_up(edit::NodeId node, std::string why) {
  failed_.give_up(node, std::move(why));
  take_inferred_sizes();
}

// Sizes of what a broken node produces, and of everything after it, don't need the node if shapes can be inferred.
void EngineReference::take_inferred_sizes() {
  const std::vector<const std::string*> why = failed_.reasons();
  for (const edit::NodeId node : parts_.order()) {
    const auto inputs = subject_.view().inputs(node);
    const auto outputs = subject_.view().outputs(node);
    if (!tells_shapes(subject_.view().node(node)) || inputs.size() != 1 || outputs.size() != 1) continue;
    if (why[at(inputs[0])] == nullptr || failed_.is_replaced(outputs[0])) continue;
    compute_without_engine(node, {});
  }
}

void EngineReference::evaluate_without_engine() {
  for (const edit::NodeId node : parts_.order()) {
    if (compute_without_engine(node, failed_.replaced())) continue;
    failed_.give_up(node, "no engine that can run the model was found");
  }
}

std::vector<SmallInput> EngineReference::inputs_of(edit::NodeId node, const EngineParts::Values& known) {
  if (!inferred_) inferred_ = infer_static_shapes(subject_.model(), *given_);
  const auto small = [](const tensor::Tensor& value) { return value.size() <= kSmallElements; };
  std::vector<SmallInput> inputs;
  for (const std::string& name : subject_.view().node(node).input()) {
    SmallInput& input = inputs.emplace_back();
    const edit::TensorId id = subject_.view().find(name);
    if (name.empty() || id == edit::kNone) continue;
    if (const auto shape = inferred_->find(name); shape != inferred_->end()) input.shape = shape->second;
    const auto value = known.find(id);
    const tensor::Tensor* given = given_->find(name);
    if (value != known.end()) {
      input.shape = value->second.shape();
      if (small(value->second)) input.value = value->second;
    } else if (given != nullptr && !subject_.is_constant(id)) {
      input.shape = given->shape();
      if (small(*given)) input.value = *given;
    } else if (subject_.is_constant(id)) {
      input.value = small_constant(subject_, id);
    }
  }
  return inputs;
}

}  // namespace assay::reduce
