// `assay inspect sparsity`: shows which weights have the 2:4 structure that sparse kernels need.
#pragma once

#include "cli/command.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"

namespace assay::cli {

class InspectSparsity final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  ModelOptions model_;
  FormatOption format_;
};

}  // namespace assay::cli
