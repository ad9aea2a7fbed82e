// `assay inspect model`: shows a model's inputs, outputs, nodes and weights.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"

namespace assay::cli {

class InspectModel final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // --visual and --save-visual.
  base::Expected<int> show_page(const model::Model& model, Context& context) const;

  ModelOptions model_;
  RefusedOptions refused_;
  std::vector<std::string> show_;
  FormatOption format_;
  bool list_unbounded_ = false;
  bool visual_ = false;
  int visual_port_ = 8000;
  std::string save_visual_;
};

}  // namespace assay::cli
