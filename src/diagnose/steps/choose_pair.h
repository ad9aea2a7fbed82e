// Chooses the two sides that the step `compare` compares. The sides that the user gave are compared; a single engine is
// compared with the reference evaluator, else with another engine that is installed, else with itself without
// optimisations.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"
#include "diagnose/steps/side_results.h"
#include "diagnose/trial.h"

namespace assay::diagnose {

// The number of the first side without optimisations, next to those in state.h.
inline constexpr int kItself = -3;

class PairOfSides {
 public:
  // Both must outlive this object.
  PairOfSides(const Case& task, SideResults& results) : task_(task), results_(results) {}

  // Runs sides until it has found two to compare. Returns false if there is nothing to compare with, or if a side that
  // the user gave fails. Errors: those of SideResults::get().
  base::Expected<bool> choose();
  // Compares the first side with itself without optimisations. If they differ, that becomes the second side, and this
  // returns the comparison. Errors: those of SideResults::get().
  base::Expected<std::optional<Comparison>> compare_with_itself();
  // Replaces the second side, which the user didn't give and which is wrong itself, by the next one that runs, and
  // returns the comparison. Returns nothing if there is none, or if that one agrees with the first side. Errors: those
  // of SideResults::get().
  base::Expected<std::optional<Comparison>> compare_with_next();

  // Runs a side unless it has run. Returns null if it doesn't run the model. Errors: those of SideResults::get().
  base::Expected<const TensorsByIteration*> run(int side);
  // Returns the outputs of a side that has run.
  [[nodiscard]] const TensorsByIteration& outputs(int side) const;

  // Returns the side that the user gave and that failed when it was to be compared; kNoSide if none did.
  [[nodiscard]] int failed() const { return failed_; }
  [[nodiscard]] int first() const { return first_; }
  [[nodiscard]] int second() const { return second_; }
  [[nodiscard]] const TensorsByIteration& first_outputs() const { return outputs(first_); }
  [[nodiscard]] const TensorsByIteration& second_outputs() const { return outputs(second_); }
  [[nodiscard]] bool is_itself() const { return second_ == kItself; }
  // Returns the options that disable the optimisations of the first side; empty if it wasn't compared with itself.
  [[nodiscard]] const SideResults::Options& plain() const { return plain_; }

 private:
  base::Expected<bool> choose_partner(int side);
  // Compares the first side with this one, which becomes the second side if they differ.
  std::optional<Comparison> differ_from(int side, const TensorsByIteration& found);
  // Sets the second side to the first engine that runs among those that were not given.
  base::Status ask_others(bool references);

  const Case& task_;
  SideResults& results_;
  int first_ = kNoSide, second_ = kNoSide, failed_ = kNoSide;
  SideResults::Options plain_;
};

}  // namespace assay::diagnose
