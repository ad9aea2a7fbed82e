#include "diagnose/steps/choose_pair.h"

#include <optional>
#include <vector>

#include "backend/engine_table.h"

namespace assay::diagnose {

base::Expected<const TensorsByIteration*> PairOfSides::run(int side) {
  ASSAY_ASSIGN(const Trial* const result, side == kItself ? results_.get(first_, plain_) : results_.get(side));
  return result->runs() ? &result->outputs : nullptr;
}

const TensorsByIteration& PairOfSides::outputs(int side) const {
  return (side == kItself ? results_.find(first_, plain_) : results_.find(side))->outputs;
}

base::Expected<bool> PairOfSides::choose() {
  std::vector<int> given;
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    if (task_.sides[i].is_given) given.push_back(static_cast<int>(i));
  }
  if (!task_.golden_results && given.size() == 1) return choose_partner(given.front());
  if (task_.golden_results) given.push_back(kGolden);
  // The first pair that differs, else the last one.
  for (std::size_t i = 0; i + 1 < given.size(); ++i) {
    first_ = given[i];
    second_ = task_.golden_results ? kGolden : given[i + 1];
    ASSAY_ASSIGN(const TensorsByIteration* const one, run(first_));
    ASSAY_ASSIGN(const TensorsByIteration* const other, run(second_));
    if (one == nullptr || other == nullptr) {
      failed_ = one == nullptr ? first_ : second_;
      return false;
    }
    if (!compare(*one, *other, task_.plan).agrees) break;
  }
  return true;
}

base::Expected<bool> PairOfSides::choose_partner(int side) {
  first_ = side;
  ASSAY_ASSIGN(const TensorsByIteration* const own, run(side));
  if (own == nullptr) {
    failed_ = side;
    return false;
  }
  ASSAY_TRY(ask_others(true));
  if (second_ != kNoSide) return true;
  ASSAY_ASSIGN(const std::optional<Comparison> differs_from_itself, compare_with_itself());
  if (differs_from_itself) return true;
  ASSAY_TRY(ask_others(false));
  if (second_ != kNoSide || plain_.empty()) return second_ != kNoSide;
  ASSAY_ASSIGN(const TensorsByIteration* const itself, run(kItself));
  if (itself != nullptr) second_ = kItself;
  return itself != nullptr;
}

base::Status PairOfSides::ask_others(bool references) {
  for (std::size_t i = 0; i < task_.sides.size() && second_ == kNoSide; ++i) {
    if (task_.sides[i].is_given || is_reference(task_.sides[i]) != references) continue;
    ASSAY_ASSIGN(const TensorsByIteration* const found, run(static_cast<int>(i)));
    if (found != nullptr) second_ = static_cast<int>(i);
  }
  return {};
}

std::optional<Comparison> PairOfSides::differ_from(int side, const TensorsByIteration& found) {
  Comparison comparison = compare(outputs(first_), found, task_.plan);
  if (comparison.agrees) return std::nullopt;
  second_ = side;
  return comparison;
}

base::Expected<std::optional<Comparison>> PairOfSides::compare_with_itself() {
  if (first_ < 0) return std::nullopt;
  plain_ = options_for(task_.sides[first_].setup, &backend::EngineRow::exact);
  if (plain_.empty()) return std::nullopt;
  ASSAY_ASSIGN(const TensorsByIteration* const found, run(kItself));
  return found == nullptr ? std::nullopt : differ_from(kItself, *found);
}

base::Expected<std::optional<Comparison>> PairOfSides::compare_with_next() {
  for (std::size_t i = static_cast<std::size_t>(second_) + 1; i < task_.sides.size(); ++i) {
    ASSAY_ASSIGN(const TensorsByIteration* const found, run(static_cast<int>(i)));
    if (found != nullptr) return differ_from(static_cast<int>(i), *found);
  }
  return std::nullopt;
}

}  // namespace assay::diagnose
