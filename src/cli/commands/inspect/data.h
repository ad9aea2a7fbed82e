// `assay inspect data`: shows saved inputs, outputs and accuracy results, or how two files of arrays differ.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/format_option.h"

namespace assay::cli {

class InspectData final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  base::Expected<int> compare(Context& context) const;

  std::vector<std::filesystem::path> paths_;
  bool all_ = false;
  bool show_values_ = false;
  bool histogram_ = false;
  bool compare_ = false;
  std::int64_t num_items_ = 3;
  std::int64_t line_width_ = 75;
  FormatOption format_;
};

}  // namespace assay::cli
