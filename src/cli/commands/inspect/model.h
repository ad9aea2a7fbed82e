// `assay inspect model`: shows a model's inputs, outputs, nodes and weights.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"

namespace assay::cli {

class InspectModel final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Serves the page until Ctrl-C, for --visual, and writes it if --report is given, too.
  base::Expected<int> show(report::Page page, Context& context) const;

  ModelOptions model_;
  RefusedOptions refused_;
  std::vector<std::string> show_;
  FormatOption format_;
  bool list_unbounded_ = false;
  bool visual_ = false;
  int visual_port_ = 8000;
  ReportOption report_{"inspect model"};
};

}  // namespace assay::cli
