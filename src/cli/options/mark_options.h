// Which tensors a model gives back: --onnx-outputs and the like (without "onnx-" where the command is about ONNX only).
#pragma once

#include <CLI/App.hpp>

#include <string>

#include "base/error.h"
#include "edit/mark_outputs.h"

namespace assay::cli {

class MarkOptions {
 public:
  // `prefix`: "onnx-" or "".
  void add_to(CLI::App& app, const std::string& prefix);
  // The older words `mark all` mean "*". A word @FILE stands for the lines of a file. Errors: not_found, invalid_input
  // for a file without names.
  [[nodiscard]] base::Expected<edit::MarkOptions> options() const;
  [[nodiscard]] bool given() const { return !options_.empty(); }

 private:
  edit::MarkOptions options_;
};

}  // namespace assay::cli
