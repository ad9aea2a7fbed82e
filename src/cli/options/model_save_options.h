// Options for saving a model: Polygraphy's group "ONNX Model Saving".
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/save.h"

namespace assay::cli {

class ModelSaveOptions {
 public:
  enum class Output { none, optional, required };  // -o, --output
  void add_to(CLI::App& app, Output output);

  [[nodiscard]] const std::string& output() const { return output_; }
  // Checks that the model can be saved to output(); call it before the work starts. Errors: those of check_writable()
  // and save_options().
  [[nodiscard]] base::Status check() const;
  // Errors: invalid_input if the threshold isn't a size.
  [[nodiscard]] base::Expected<model::SaveOptions> save_options() const;
  // Warns of each option that has no effect because no model is saved: `path` is empty. `option` would set it.
  void warn_if_not_saved(const std::string& path, std::string_view option, base::Log& log) const;
  // Saves the model to output() and logs the path. Warnings: those of model::save().
  [[nodiscard]] base::Status save(const model::Model& model, base::Log& log) const;
  // The same, to another file.
  [[nodiscard]] base::Status save(const model::Model& model, const std::string& path, base::Log& log) const;

 private:
  std::string output_;
  std::string external_data_path_;
  // These are owned by the App, which outlives the command's run.
  CLI::Option* external_data_ = nullptr;
  std::vector<const CLI::Option*> details_;  // all but output_
  std::string threshold_;
  bool many_files_ = false;
};

}  // namespace assay::cli
