// `assay debug precision`: finds the nodes that have to stay in float32 when the others run in float16.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "blame/find_precision.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "reduce/judge/repeat_judge.h"
#include "surgeon/convert_to_float16.h"

namespace assay::cli {

class DebugPrecision final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] std::vector<std::string> remainder_option() const override { return CheckOptions::remainder_option(); }
  void set_remainder(std::vector<std::string> words) override { check_.set_command(std::move(words)); }

 private:
  // The judge of candidates, and values that were measured before the search.
  struct Judging {
    std::function<base::Expected<reduce::Verdict>(const std::set<int>& keep)> judge;
    std::map<std::string, double> largest;  // values of tensors; empty if they couldn't be measured
  };
  struct Subject {
    model::Model model;
    std::vector<surgeon::Float16Node> nodes;
    std::set<std::string> weights;  // beyond float16's range
  };

  [[nodiscard]] base::Status check_options(const std::vector<run::EngineSetup>& engines) const;
  [[nodiscard]] base::Expected<Subject> load(Context& context) const;
  base::Expected<Judging> judge_in(const run::EngineSetup& engine, const Subject& subject, Context& context);
  base::Expected<Judging> judge_by_check(const Subject& subject, Context& context);
  base::Expected<blame::PrecisionFindings> search(const Subject& subject, const Judging& judging, Context& context);
  base::Expected<int> report(const blame::PrecisionFindings& found, const Subject& subject, const Judging& judging,
                             Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  CheckOptions check_;
  IterationOptions iterations_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  ModelSaveOptions save_;
  RefusedOptions refused_;
  CLI::App* app_ = nullptr;
  std::string mode_ = "minimal";
  std::string direction_ = "forward";
  std::string precision_ = "float32";
};

}  // namespace assay::cli
