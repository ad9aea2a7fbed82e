// Options that choose which tensors become outputs of the model: --onnx-outputs and others, or --outputs in commands
// that only handle ONNX models.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/mark_outputs.h"

namespace assay::cli {

class OutputOptions {
 public:
  // `prefix`: "onnx-" or "".
  void add_to(CLI::App& app, const std::string& prefix);
  // Returns the options with files expanded: a word @FILE stands for the lines of the file, the words `mark all` for
  // every tensor. Errors: those of base::read_file; invalid_input if a file has no names.
  [[nodiscard]] base::Expected<edit::MarkOptions> options() const;
  [[nodiscard]] bool given() const { return !options_.empty(); }
  // Returns the first of these options that the command line has, or an empty string.
  [[nodiscard]] std::string first_given() const;
  // Warns of each of these options that was given, for a command that runs no model. `reason` follows "has no effect".
  void warn_of_unused(std::string_view reason, base::Log& log) const;

 private:
  edit::MarkOptions options_;
  std::vector<const CLI::Option*> all_;  // owned by the App, which outlives the command's run
};

}  // namespace assay::cli
