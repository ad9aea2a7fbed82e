// The words of the command that reduces a model on which `assay run` fails. `debug locate` suggests it, and `diagnose`
// runs it.
#pragma once

#include <string>
#include <vector>

namespace assay::run {

inline constexpr const char* kCandidate = "polygraphy_debug.onnx";  // the file that a check judges

// The run that fails, in words of the command line.
struct FailingRun {
  std::string model{};                      // its file
  std::vector<std::string> engines{};       // with their limits
  std::vector<std::string> inputs{};        // a file, or options for generated inputs
  std::vector<std::string> input_shapes{};  // of generated inputs: "x:[2,3]"
  std::string golden{};                     // the file of saved outputs to compare with; empty: none
  std::vector<std::string> comparison{};    // other options of `assay run`
  bool compares = true;                     // false: it fails before outputs are compared
  bool is_intermittent = false;             // it doesn't always fail
};

struct ReductionWords {
  std::vector<std::string> command;  // "debug", "reduce", ..., without "assay" and without the check
  std::vector<std::string> check;    // "assay", "run", kCandidate, ...
};

ReductionWords reduction_words(const FailingRun& run);

}  // namespace assay::run
