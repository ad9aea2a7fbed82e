// `assay diff`: shows what changed between two models.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/format_option.h"
#include "cli/options/report_option.h"

namespace assay::cli {

class Diff final : public Command {
 public:
  void add_options(CLI::App& app) override;
  // The exit status is kExitPassed if the models are equal, kExitFailed if they differ.
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  std::string first_;
  std::string second_;
  std::vector<std::string> ignore_;
  bool ignore_external_data_ = false;
  std::vector<std::string> external_data_dirs_;  // none, one for both models, or one for each
  FormatOption format_;
  ReportOption report_{"diff"};
  std::size_t limit_ = 20;
};

}  // namespace assay::cli
