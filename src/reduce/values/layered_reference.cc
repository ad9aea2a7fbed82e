#include "reduce/values/layered_reference.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "base/at.h"
#include "edit/fits.h"
#include "model/dependencies.h"
#include "model/shapes.h"

namespace assay::reduce {
namespace {

using base::at;

// Returns the sizes of an input or a weight, -1 for unknown ones; nothing if the rank is unknown.
std::optional<std::vector<std::int64_t>> sizes(const edit::TensorFacts& facts, edit::TensorId id) {
  std::vector<std::int64_t> result;
  if (const onnx::TensorProto* weight = facts.subject().view().initializer(id)) {
    return std::vector<std::int64_t>(weight->dims().begin(), weight->dims().end());
  }
  const onnx::ValueInfoProto* value = facts.find(id);
  if (value == nullptr) return std::nullopt;
  const model::TensorInfo info = model::tensor_info(*value);
  if (!info.shape) return std::nullopt;
  for (const model::Dimension& size : *info.shape) result.push_back(size.value);
  return result;
}

}  // namespace

LayeredReference::LayeredReference(std::shared_ptr<Reference> original, edit::TensorFacts original_facts,
                                   std::unique_ptr<Reference> own, edit::TensorFacts facts)
    : original_(std::move(original)),
      original_facts_(std::move(original_facts)),
      own_(std::move(own)),
      facts_(std::move(facts)) {
  if (original_) compare_sizes();
}

std::vector<std::string> LayeredReference::of_original(const std::vector<std::string>& names) const {
  std::vector<std::string> result;
  if (!original_) return result;
  std::ranges::copy_if(names, std::back_inserter(result), [&](const std::string& name) {
    return original_facts_.subject().view().find(name) != edit::kNone;
  });
  return result;
}

void LayeredReference::compare_sizes() {
  const model::GraphView& view = facts_.subject().view();
  for (edit::TensorId id = 0; id < view.tensor_count(); ++id) {
    if (view.producer(id) != edit::kNone) continue;
    const edit::TensorId before = original_facts_.subject().view().find(view.name(id));
    const auto now = sizes(facts_, id);
    if (before == edit::kNone || !now) continue;
    const auto old = sizes(original_facts_, before);
    bool differs = false, is_unclear = !old;
    for (std::size_t axis = 0; old && old->size() == now->size() && axis < now->size(); ++axis) {
      if ((*now)[axis] < 0 || (*now)[axis] == (*old)[axis]) continue;
      ((*old)[axis] < 0 ? is_unclear : differs) = true;
    }
    if (differs) {
      changed_.push_back(id);
    } else if (is_unclear) {
      in_question_.emplace_back(view.name(id));
    }
  }
}

void LayeredReference::mark_resized() {
  const model::GraphView& view = facts_.subject().view();
  if (!resized_.empty()) return;
  std::vector<edit::TensorId> differing = changed_;
  if (!in_question_.empty()) {
    for (const auto& [name, value] : original_->available(in_question_)) {
      const edit::TensorId id = view.find(name);
      if (!edit::fits(value, facts_.find(id))) differing.push_back(id);
    }
  }
  resized_ = model::computed_from(view, std::move(differing));
}

tensor::NamedTensors LayeredReference::from_original(const std::vector<std::string>& names) {
  tensor::NamedTensors result;
  if (names.empty()) return result;
  mark_resized();
  for (const auto& [name, value] : original_->available(names)) {
    const edit::TensorId id = facts_.subject().view().find(name);
    if (id == edit::kNone || (!resized_[at(id)] && edit::fits(value, facts_.find(id)))) result.set(name, value);
  }
  return result;
}

std::vector<std::string> LayeredReference::without(const tensor::NamedTensors& values,
                                                   const std::vector<std::string>& names) {
  std::vector<std::string> result;
  std::ranges::copy_if(names, std::back_inserter(result),
                       [&](const std::string& name) { return values.find(name) == nullptr; });
  return result;
}

tensor::NamedTensors LayeredReference::available(const std::vector<std::string>& names) {
  tensor::NamedTensors result = from_original(of_original(names));
  const std::vector<std::string> unknown = without(result, names);
  if (unknown.empty() || !own_) return result;
  for (const auto& [name, value] : own_->available(unknown)) result.set(name, value);
  return result;
}

bool LayeredReference::answers_at_once(const std::vector<std::string>& names) {
  const std::vector<std::string> first = of_original(names);
  if (first.empty()) return !own_ || own_->answers_at_once(names);
  if (!in_question_.empty() && !original_->answers_at_once(in_question_)) return false;
  return original_->answers_at_once(first) && (!own_ || own_->answers_at_once(without(from_original(first), names)));
}

bool LayeredReference::is_slow() const {
  return (original_ && original_->is_slow()) || (own_ && own_->is_slow());
}

}  // namespace assay::reduce
