// `assay inspect tactics` and `assay inspect diff-tactics`: show and compare tactic replays of TensorRT.
#pragma once

#include <filesystem>
#include <string>

#include "cli/command.h"
#include "cli/options/format_option.h"

namespace assay::cli {

class InspectTactics final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  std::filesystem::path path_;
  FormatOption format_;
};

class InspectDiffTactics final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  std::filesystem::path dir_;
  std::string good_;
  std::string bad_;
  FormatOption format_;
};

}  // namespace assay::cli
