#include "reduce/passes/dimensions/fixed_inputs.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <variant>

namespace assay::reduce {
namespace {

bool is_open(const model::Model& model, const edit::SetSize& change) {
  return std::ranges::any_of(model.graph().input(), [&](const onnx::ValueInfoProto& input) {
    const auto& shape = input.type().tensor_type().shape();
    return input.name() == change.tensor && change.axis < shape.dim_size() && !shape.dim(change.axis).has_dim_value();
  });
}

enum class Effect { none, binds, changes };

// The effect of a change on inputs with fixed shapes, and the size to which it has to bind.
struct Effects {
  Effect effect = Effect::none;
  std::int64_t size = -1;
};

Effects effects_of(const model::Model& model, const std::map<std::string, tensor::Shape>& fixed,
                   const edit::ModelChange& change) {
  Effects result;
  for (const edit::Primitive& primitive : change.primitives) {
    const auto* set = std::get_if<edit::SetSize>(&primitive);
    const auto given = set == nullptr ? fixed.end() : fixed.find(set->tensor);
    if (given == fixed.end()) continue;
    const auto axis = static_cast<std::size_t>(set->axis);
    const std::int64_t size = axis < given->second.size() ? given->second[axis] : -1;
    if (!is_open(model, *set)) return {.effect = Effect::changes};
    if (size < 0) continue;  // the user left it open, too
    if (result.effect == Effect::binds && result.size != size) return {.effect = Effect::changes};
    result = {.effect = Effect::binds, .size = size};
  }
  return result;
}

// Returns the places that a change sets. They are equal for changes that differ only in the size.
std::set<std::pair<std::string, int>> places_of(const edit::ModelChange& change) {
  std::set<std::pair<std::string, int>> places;
  for (const edit::Primitive& primitive : change.primitives) {
    if (const auto* set = std::get_if<edit::SetSize>(&primitive)) places.emplace(set->tensor, set->axis);
  }
  return places;
}

void bind(edit::ModelChange& change, std::int64_t size) {
  for (edit::Primitive& primitive : change.primitives) {
    if (auto* set = std::get_if<edit::SetSize>(&primitive)) set->size = size;
  }
  const std::size_t number = change.what.rfind(' ');
  if (number != std::string::npos) change.what = change.what.substr(0, number + 1) + std::to_string(size);
}

}  // namespace

void keep_fixed_inputs(const model::Model& model, const std::map<std::string, tensor::Shape>& fixed,
                       std::vector<edit::ModelChange>& changes) {
  if (fixed.empty()) return;
  std::set<std::set<std::pair<std::string, int>>> bound;
  std::vector<edit::ModelChange> kept;
  for (edit::ModelChange& change : changes) {
    const Effects effects = effects_of(model, fixed, change);
    if (effects.effect == Effect::changes) continue;
    if (effects.effect == Effect::binds) {
      if (!bound.insert(places_of(change)).second) continue;  // only one size is possible, so one change is enough
      bind(change, effects.size);
    }
    kept.push_back(std::move(change));
  }
  changes = std::move(kept);
}

}  // namespace assay::reduce
