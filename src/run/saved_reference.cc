#include "run/saved_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "compare/match_outputs.h"
#include "model/input_specs.h"

namespace assay::run {
namespace {

std::vector<std::string> names_of_inputs(const model::Model& model) {
  std::vector<std::string> names;
  for (const tensor::TensorSpec& input : model::input_specs(model)) names.push_back(input.name);
  return names;
}

}  // namespace

SavedReference::SavedReference(SavedReferenceSetup setup, const model::Model& whole)
    : setup_(std::move(setup)), inputs_(names_of_inputs(whole)) {}

std::optional<std::string> SavedReference::why_not(const model::Model& model) const {
  std::optional<std::string> why = setup_.loaded_inputs ? find_missing_input(model) : find_other_input(model);
  return why ? why : find_unknown_output(model);
}

std::optional<std::string> SavedReference::find_missing_input(const model::Model& model) const {
  if (!setup_.loaded_inputs) return std::nullopt;
  for (const std::string& name : names_of_inputs(model)) {
    if (std::ranges::find(*setup_.loaded_inputs, name) != setup_.loaded_inputs->end()) continue;
    return fmt::format("the check loads no value for its input '{}'", name);
  }
  return std::nullopt;
}

// A generator draws the values of all inputs from one sequence of numbers, in order.
std::optional<std::string> SavedReference::find_other_input(const model::Model& model) const {
  const std::vector<std::string> names = names_of_inputs(model);
  const auto [other, end] = std::ranges::mismatch(names, inputs_);
  if (other == names.end()) return std::nullopt;
  return fmt::format("the values that the check generates for its input '{}' aren't those of the whole model", *other);
}

std::optional<std::string> SavedReference::find_unknown_output(const model::Model& model) const {
  base::SilentLog silent;
  const auto outputs = edit::choose_outputs(model, setup_.marks, silent);
  if (!outputs) return std::nullopt;  // the run reports it
  const std::vector<compare::OutputMatch> matches = compare::match_outputs(*outputs, setup_.outputs);
  if (matches.empty()) return "none of its outputs was saved";
  const auto other = std::ranges::find(matches, false, &compare::OutputMatch::same_name);
  if (other == matches.end()) return std::nullopt;
  return fmt::format("its output '{}' wasn't saved", other->first);
}

}  // namespace assay::run
