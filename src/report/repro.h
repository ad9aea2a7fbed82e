// The directory for a bug report: everything that shows a failure to somebody who has the engine and not Assay.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::report {

// Tolerances by output; key "" is for all others.
using Tolerances = std::map<std::string, double>;

// Options of a worker (worker::EngineSpec::options); those that the programs do not know are left out.
using Options = std::map<std::string, std::string>;

// The engine that the programs use, and how they set it up.
struct EngineUse {
  std::string kind = "onnxruntime";  // of the worker; one of program_engines()
  Options options{};
  std::string why{};  // it is this one of the engines of the check: "it fails where ONNX Runtime runs"; may be empty
};

struct ReproInput {
  const model::Model& model;
  // Its very bytes are copied, with its external data, and not the model written anew.
  std::optional<std::filesystem::path> verbatim{};
  EngineUse engine{};
  // The check runs the model as the programs do. False: it is something else, and they only show what the engine
  // does with the model.
  bool check_is_known = false;
  bool validate = false;  // NaN and infinity in an output are the failure

  tensor::NamedTensors inputs{};
  std::string inputs_from{};        // "generated with seed 1"
  tensor::NamedTensors seen{};      // empty where the engine gave nothing
  tensor::NamedTensors expected{};  // empty where nobody knows
  std::string expected_from{};      // "o.json"
  Tolerances absolute{{"", 1e-5}};
  Tolerances relative{{"", 1e-5}};

  std::string check{};    // the command, as a shell takes it; empty where a person judged
  std::string ending{};   // how it ended: "exit code 1"; empty where nobody looked
  std::string output{};   // what it wrote
  std::string summary{};  // of the reduction, for people; may be empty
  std::vector<std::pair<std::string, std::string>> versions{};  // {"Assay", "1.0"}, {"ONNX Runtime", "1.31.1"}, ...
};

// Writes README.md, model.onnx (with model.onnx.data beside it where the weights are more than 256 MiB), inputs.npz and
// inputs.json, seen_outputs and expected_outputs likewise, versions.txt, check.txt, reproduce.py, reproduce.cc with its
// CMakeLists.txt, and data/ with the values as bytes, which the programs read. An array that NumPy's format cannot hold
// is in data/ alone. The folder is made under another name beside it and renamed when all is in it.
// Errors: invalid_input where `folder` is there and is not empty; io.
base::Status write_repro(const std::filesystem::path& folder, const ReproInput& input);

// The check of write_repro() on `folder`, for those who want to know before the work.
base::Status check_repro_folder(const std::filesystem::path& folder);

}  // namespace assay::report
