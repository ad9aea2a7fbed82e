// The folder for a bug report: everything that shows a failure to someone who has the engine but not Assay.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "stats/equal_specials.h"
#include "tensor/tensor.h"

namespace assay::report {

// Tolerances by output; key "" applies to all others.
using Tolerances = std::map<std::string, double>;

// Options of a worker (worker::EngineSpec::options); options unknown to the programs are left out.
using Options = std::map<std::string, std::string>;

// The engine that the programs use, and its options.
struct EngineUse {
  std::string kind{};  // of the worker; there are programs for it. Empty: the first of the table of engines
  Options options{};
  std::string why{};        // why this engine of the check: "it fails where ONNX Runtime runs"; may be empty
  std::string unreached{};  // an engine that fails on the model, but for which there are no programs; may be empty
};

struct ReproInput {
  const model::Model& model;
  // Copies this file byte for byte, with its external data, instead of saving the model again.
  std::optional<std::filesystem::path> verbatim{};
  EngineUse engine{};
  // True if the check runs the model, and judges its outputs, as the programs do. If false, the check does something
  // else, and the programs only show what the engine does with the model.
  bool check_is_known = false;
  bool validate = false;  // NaN or infinity in an output is the failure

  tensor::NamedTensors inputs{};
  std::string inputs_from{};        // "generated with seed 1"
  tensor::NamedTensors seen{};      // empty if the engine returned nothing
  tensor::NamedTensors expected{};  // empty if unknown
  std::string expected_from{};      // "o.json"
  Tolerances absolute{{"", 1e-5}};
  Tolerances relative{{"", 1e-5}};
  stats::EqualSpecials equal = {};

  std::string check{};                  // the command, quoted for a shell; empty if a person judged
  std::vector<std::string> commands{};  // lines for a shell that run the check on the model of the folder; may be empty
  std::string ending{};                 // how the check ended: "exit status 1"; empty if unknown
  std::string output{};                 // the check's output
  std::string summary{};                // summary of the reduction; may be empty
  std::vector<std::pair<std::string, std::string>> versions{};  // {"Assay", "1.0"}, {"ONNX Runtime", "1.31.1"}, ...
};

// Writes README.md, model.onnx (with model.onnx.data next to it if the weights exceed 256 MiB), inputs.npz and
// inputs.json, seen_outputs and expected_outputs likewise, versions.txt, check.txt, reproduce.py, reproduce.cc with its
// CMakeLists.txt, and data/ with the values as bytes, which the programs read. An array that NumPy's format can't hold
// is in data/ only. Files that the engine loads, such as libraries of custom operators, are copied. A new folder
// appears when it is complete; in an existing one, README.md is the last file to appear. Errors: invalid_input if
// `folder` is a file, or has files of these names; io.
base::Status write_repro(const std::filesystem::path& folder, const ReproInput& input);

// Checks that `folder` is new or an empty folder, and that write_repro() can create files there, so that a command can
// fail before the work instead of after it. With `resumes`, an earlier run has done so, and its own files may be in the
// folder by now: only one that has a README.md, and so is complete, is refused. Errors: invalid_input; io.
base::Status check_repro_folder(const std::filesystem::path& folder, bool resumes = false);

}  // namespace assay::report
