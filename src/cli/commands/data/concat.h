// `assay data concat`: concatenates the iterations of files of inputs, or of outputs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"

namespace assay::cli {

class DataConcat final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  std::vector<std::filesystem::path> paths_;
  std::filesystem::path output_;
};

}  // namespace assay::cli
