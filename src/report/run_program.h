// Generates the program of `run --gen-script`: Python that runs a model in the same engines on the same inputs and
// compares the outputs, with the engines' own packages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "model/shapes.h"
#include "report/repro.h"
#include "stats/equal_specials.h"
#include "tensor/generate.h"

namespace assay::report {

struct RunProgram {
  const model::Model& model;
  std::string path;                     // of the model, as the program opens it
  std::vector<EngineUse> engines = {};  // in order; each has parts of programs
  // Shapes that the user chose, by input. As in `assay run`, one that the model doesn't allow isn't used, and sizes
  // that are still open are 1.
  std::map<std::string, std::vector<model::Dimension>> shapes = {};
  std::vector<std::string> load_inputs = {};  // files; empty: inputs are generated
  std::int64_t seed = 1;
  std::int64_t iterations = 1;
  std::map<std::string, tensor::ValueRange> ranges = {{"", {}}};  // of generated values, by input
  Tolerances absolute{{"", 1e-5}};
  Tolerances relative{{"", 1e-5}};
  stats::EqualSpecials equal = {};
  bool validate = false;
};

// Errors: unsupported for an engine without parts of programs, for inputs of types that NumPy doesn't have, for strings
// that aren't loaded, for a shape that `assay run` would use as the input's value, and for files of inputs other than
// JSON.
base::Expected<std::string> run_program(const RunProgram& program);

}  // namespace assay::report
