// `assay convert`: saves a model in another form: with inferred shapes, in float16, with other outputs, or with its
// weights in other files.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"

namespace assay::cli {

class Convert final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  [[nodiscard]] base::Status check_target() const;

  ModelOptions model_;
  OutputOptions marks_;
  ModelSaveOptions saving_;
  RefusedOptions refused_;
  std::string target_;
  bool float16_ = false;
};

}  // namespace assay::cli
