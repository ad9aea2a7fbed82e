// `assay debug repeat`: runs a check repeatedly and sorts the files that it writes.
#pragma once

#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/iteration_options.h"

namespace assay::cli {

class DebugRepeat final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] std::vector<std::string> remainder_option() const override { return CheckOptions::remainder_option(); }
  void set_remainder(std::vector<std::string> words) override { check_.set_command(std::move(words)); }

 private:
  CheckOptions check_;
  IterationOptions iterations_;
};

}  // namespace assay::cli
