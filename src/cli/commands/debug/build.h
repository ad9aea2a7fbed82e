// `assay debug build`: builds an engine again and again, and sorts good ones from bad ones by a check.
#pragma once

#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"

namespace assay::cli {

class DebugBuild final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] std::vector<std::string> remainder_option() const override { return CheckOptions::remainder_option(); }
  void set_remainder(std::vector<std::string> words) override { check_.set_command(std::move(words)); }

 private:
  [[nodiscard]] base::Expected<run::EngineSetup> engine(Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  CheckOptions check_;
  IterationOptions iterations_;
  RefusedOptions refused_;
};

}  // namespace assay::cli
