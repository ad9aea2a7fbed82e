// The option --repro DIR: writes a folder for a bug report about a failing model.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "model/model.h"
#include "reduce/verdicts/verdict.h"
#include "tensor/tensor.h"

namespace assay::cli {

class ReproOptions {
 public:
  void add_to(CLI::App& app);

  [[nodiscard]] bool given() const { return !folder_.empty(); }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  // Checks the folder; call it before the work starts. `resumes`: a killed run has checked it already. Errors: those of
  // report::check_repro_folder().
  [[nodiscard]] base::Status check(bool resumes) const;

  // Returns the file of the model in the folder.
  [[nodiscard]] std::filesystem::path model() const { return std::filesystem::path(folder_) / "model.onnx"; }

  struct Failing {
    const model::Model& model;
    std::optional<std::filesystem::path> verbatim{};  // copy this file instead of writing the model
    std::vector<std::string> check{};                 // the check command; empty if the user judged
    std::vector<std::string> commands{};              // lines for a shell that run the check on model()
    reduce::Verdict verdict{};                        // the verdict on this model
    std::string summary{};                            // where the model comes from, shown to the user; may be empty
    tensor::NamedTensors given{};                     // inputs that the user gave; used if the check isn't `assay run`
  };
  // Writes the folder. If the check is `assay run`, the programs use its engine, tolerances and first inputs. The
  // README.md says so if the check does more than they can. The engines run once more, in workers, to record what they
  // compute.
  base::Status save(const Failing& failing, Context& context) const;

 private:
  std::string folder_;
};

}  // namespace assay::cli
