// `assay template onnx-gs`: writes a Python script that edits the model with ONNX-GraphSurgeon.
#pragma once

#include <filesystem>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"

namespace assay::cli {

class TemplateOnnxGs final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  OutputOptions marked_;
  std::filesystem::path output_;
};

}  // namespace assay::cli
