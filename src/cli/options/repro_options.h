// --repro DIR: the folder for a bug report, of a model that a check finds to fail.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "model/model.h"
#include "reduce/verdicts/oracle.h"
#include "tensor/tensor.h"

namespace assay::cli {

class ReproOptions {
 public:
  void add_to(CLI::App& app);

  [[nodiscard]] bool given() const { return !folder_.empty(); }
  // For before the work. Errors: invalid_input where the folder is there and not empty.
  [[nodiscard]] base::Status check() const;

  struct Failing {
    const model::Model& model;
    std::optional<std::filesystem::path> verbatim{};  // its bytes are copied, and not the model written anew
    std::vector<std::string> check{};                 // the command; empty where a person judged
    reduce::Verdict verdict{};                        // on this model
    std::string summary{};                            // where the model comes from, for people; may be empty
    // Values for inputs where the check is not `assay run`; absent: generated as `assay run` does by default.
    std::function<base::Expected<tensor::NamedTensors>()> inputs{};
  };
  // Writes the folder. Where the check is `assay run`, its engine, inputs and tolerances are those of the programs; the
  // engine runs once more, in a worker, to record what it computes.
  base::Status save(const Failing& failing, Context& context) const;

 private:
  std::string folder_;
};

}  // namespace assay::cli
