// Which side is at fault if two differ? Other results for the same inputs decide: saved ones, those of further engines
// and of the model in float64, and those of the engine itself without optimisations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/trial.h"

namespace assay::diagnose {

// Outputs from another source for the same inputs.
struct Opinion {
  std::string name;
  TensorsByIteration outputs;
};

enum class Fault { first, second, unknown };

struct FaultChoice {
  Fault fault = Fault::unknown;
  std::string why;  // "OpenVINO agrees with ONNX Runtime"; empty if no opinion was formed
};

// Takes the first opinion that agrees with exactly one of the two sides or, if the tolerances are too tight for both,
// is much closer to one of them.
FaultChoice choose_fault(const Opinion& first, const Opinion& second, const std::vector<Opinion>& others,
                         const compare::ComparePlan& plan);

// Returns the fraction of rows along the last axis in which both outputs have their largest value at the same position.
// Counts all outputs of floats with rows of at least two values; nothing if there is no such output.
std::optional<double> top1_agreement(const TensorsByIteration& first, const TensorsByIteration& second);

}  // namespace assay::diagnose
