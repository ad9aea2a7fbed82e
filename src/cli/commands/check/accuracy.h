// `assay check accuracy`: judges saved comparisons again with other thresholds.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"

namespace assay::cli {

class CheckAccuracy final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  // Returns whether any option says how to judge.
  [[nodiscard]] bool asks() const;

  CLI::App* app_ = nullptr;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  bool average_ = false;
  std::string path_;
  ReportOption report_{"check accuracy"};
};

}  // namespace assay::cli
