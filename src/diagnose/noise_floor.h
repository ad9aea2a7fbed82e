// Measures how much of a difference is explained by rounding in the model's own precision.
//
// The reference evaluator runs the model twice: as it is, and with all floats as float64. The difference is the noise
// floor of each output. Two engines that add the same numbers in different orders can't be expected to be closer to the
// float64 result than a few times that.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/trial.h"

namespace assay::diagnose {

struct NoiseFloor {
  TensorsByIteration exact;  // the outputs of the float64 run, in the model's types
  // The largest absolute error of the reference run, by output. Infinite if it can't be measured, as for strings, or if
  // only one of the runs overflows; then it explains nothing.
  std::map<std::string, double> noise;
};

inline constexpr double kFloorFactor = 10;  // an error of up to so many times the noise is inside the floor

// `reference`: the reference evaluator; `outputs`: what it returned. Returns nothing if the float64 run fails. Errors:
// those of try_engine().
base::Expected<std::optional<NoiseFloor>> find_noise_floor(const Case& task, const run::EngineSetup& reference,
                                                           const TensorsByIteration& outputs,
                                                           const StepContext& context);

// Returns true if the noise explains all errors of the outputs that differ between `first` and `second`.
bool is_inside(const NoiseFloor& floor, const TensorsByIteration& first, const TensorsByIteration& second,
               const compare::ComparePlan& plan);

// Returns true if the noise of the output is not that of rounding, but larger than a tenth of its largest value.
bool is_ruined(const NoiseFloor& floor, const std::string& output);

// "float16": the narrowest type of floats in the model.
std::string precision_of(const model::Model& model);

}  // namespace assay::diagnose
