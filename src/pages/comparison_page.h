// The page of `assay run`: the tensors of two runs that were compared, in the graph.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compare/layer_table.h"
#include "model/model.h"
#include "pages/layer_errors.h"
#include "report/page/page.h"
#include "run/timings.h"

namespace assay::pages {

class ComparisonPage {
 public:
  // Records the values that the table compares. This object must outlive the run.
  void watch(compare::LayerTable& table);

  struct Outcome {
    bool passed = false;
    bool validated = false;                                             // outputs were searched for NaN and infinity
    std::vector<std::string> without{};                                 // tensors for which no value was available
    std::vector<std::pair<std::string, run::TimingSummary>> timings{};  // by runner
  };
  // Returns the page without title, command line and environment. If more than two runs were compared, it shows the
  // first pair that differs, and lists all pairs. `model` may be null: the tensors then have no graph.
  [[nodiscard]] report::Page page(const model::Model* model, const compare::LayerTable& table,
                                  const Outcome& outcome) const;

 private:
  std::map<std::size_t, WorstTensors> worst_;  // by pair
};

}  // namespace assay::pages
