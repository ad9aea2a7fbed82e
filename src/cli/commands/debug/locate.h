// `assay debug locate`: finds the first tensor at which two engines, an engine and saved results, or float32 and
// float16 diverge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/memory_budget_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "locate/locate.h"
#include "locate/report.h"

namespace assay::cli {

class DebugLocate final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] base::Status check_sides(const std::vector<run::EngineSetup>& engines, std::size_t saved) const;
  [[nodiscard]] base::Status check_float16(std::size_t engines) const;
  [[nodiscard]] base::Expected<locate::LocateOptions> locate_options() const;
  // Prints the answer, and returns the exit status.
  int show(const locate::Location& location, const std::optional<locate::NextCommand>& next, Context& context) const;
  [[nodiscard]] std::optional<locate::NextCommand> next_command(const locate::Location& location) const;
  // Returns the words of a check that fails as long as the two sides differ.
  [[nodiscard]] std::vector<std::string> check_words(const locate::Location& location,
                                                     const std::vector<std::string>& inputs) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  ModelSaveOptions save_;
  RefusedOptions refused_;
  CLI::App* app_ = nullptr;
  std::string against_;
  std::string load_outputs_;
  std::string save_inputs_;
  MemoryBudgetOption memory_budget_;
  ReportOption report_{"debug locate"};
  bool inline_functions_ = false;
  bool float16_ = false;
  int repeats_ = 3;
  FormatOption format_;
  std::vector<std::string> engine_names_;  // of the engines, in order; filled by run()
};

}  // namespace assay::cli
