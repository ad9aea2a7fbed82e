// `assay diagnose`: asks ten questions about a model in an engine, one after another, and sums the answers up.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::cli {

class Diagnose final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  base::Status check_options() const;
  // The folder for everything that is written; created if it doesn't exist. Errors: invalid_input if it holds something
  // else.
  base::Expected<std::filesystem::path> make_folder() const;
  base::Status add_inputs(diagnose::Case& task, Context& context) const;
  base::Status add_golden(diagnose::Case& task, Context& context) const;
  [[nodiscard]] std::vector<std::string> run_words() const;
  base::Expected<diagnose::State> earlier_state(const diagnose::Case& task) const;
  base::Expected<diagnose::State> ask(const diagnose::Case& task, diagnose::State state, Context& context) const;
  // Writes a report of the steps that had ended before the user stopped the diagnosis, if one was asked for. Returns
  // the error, and logs if the report can't be written.
  base::Error report_stopped(const diagnose::Case& task, base::Error error, Context& context) const;
  base::Expected<int> report(const diagnose::Case& task, const diagnose::State& state, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  FormatOption format_;
  CLI::App* app_ = nullptr;
  std::string load_outputs_;
  std::string folder_;
  double budget_s_ = 0;
  std::vector<std::string> skip_;
  bool resume_ = false;
  ReportOption report_{"diagnose"};
};

}  // namespace assay::cli
