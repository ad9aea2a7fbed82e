// `assay debug versions`: finds the first version of ONNX Runtime in which a model fails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "blame/judge_versions.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"

namespace assay::cli {

class DebugVersions final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }
  [[nodiscard]] std::vector<std::string> remainder_option() const override { return CheckOptions::remainder_option(); }
  void set_remainder(std::vector<std::string> words) override { check_.set_command(std::move(words)); }

 private:
  [[nodiscard]] base::Expected<std::vector<std::filesystem::path>> libraries(Context& context) const;
  [[nodiscard]] base::Expected<run::EngineSetup> engine(const std::filesystem::path& library, Context& context) const;
  [[nodiscard]] base::Expected<std::optional<data::RunnerResults>> saved_results() const;
  int report(const blame::VersionFindings& found, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  CheckOptions check_;
  CLI::App* app_ = nullptr;
  std::vector<std::string> libraries_;
  std::string load_outputs_;
  FormatOption format_;
};

}  // namespace assay::cli
