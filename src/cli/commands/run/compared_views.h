// The views of a comparison besides its log: the table of layers, JSON, and the report.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands/run/layer_options.h"
#include "cli/context/command.h"
#include "cli/options/report_option.h"
#include "compare/layer_table.h"
#include "model/model.h"
#include "pages/comparison_page.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class ComparedViews {
 public:
  // Makes the plan record what it compares, if a view needs it. `many`: the run compares several tensors besides the
  // model's own outputs, so that the table of layers is shown without an option. This object must outlive the run, and
  // the options must outlive this object.
  ComparedViews(const LayerOptions& layers, const ReportOption& report, bool many, run::RunPlan& plan);
  ComparedViews(const ComparedViews&) = delete;
  ComparedViews& operator=(const ComparedViews&) = delete;

  // Returns whether any view shows more if it is given the model.
  [[nodiscard]] bool wants_model() const { return layers_.given() || report_.given(); }

  struct Run {
    const model::Model* model = nullptr;  // may be null
    std::string file{};                   // of the model, for the title
    std::vector<run::EngineSetup> engines{};
    LayerOptions::Outcome outcome{};
    std::string next{};  // the hint to print if layers differ; may be empty
  };
  // Writes the report last, so that all else is shown if that fails. Errors: io.
  base::Status show(const Run& run, Context& context) const;

 private:
  const LayerOptions& layers_;
  const ReportOption& report_;
  bool validates_;
  compare::LayerTable table_;
  pages::ComparisonPage page_;
};

}  // namespace assay::cli
