// Generates the program of `run --gen-script`: Python that runs a model in the same engines on the same inputs and
// compares the outputs, with the engines' own packages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "report/repro.h"
#include "stats/equal_specials.h"
#include "tensor/generate.h"
#include "tensor/tensor_spec.h"

namespace assay::report {

struct RunProgram {
  const model::Model& model;
  std::string path;                            // of the model, as the program opens it
  std::vector<EngineUse> engines = {};         // in order; each has parts of programs
  std::vector<tensor::TensorSpec> ports = {};  // inputs of the model; every size is known
  std::vector<std::string> load_inputs = {};   // JSON files; empty: inputs are generated
  std::int64_t seed = 1;
  std::int64_t iterations = 1;
  std::map<std::string, tensor::ValueRange> ranges = {{"", {}}};  // of generated values, by input
  Tolerances absolute{{"", 1e-5}};
  Tolerances relative{{"", 1e-5}};
  stats::EqualSpecials equal = {};
  bool validate = false;
};

// Errors: unsupported for an engine without parts of programs, and for inputs of types that NumPy doesn't have, or of
// strings that aren't loaded.
base::Expected<std::string> run_program(const RunProgram& program);

}  // namespace assay::report
