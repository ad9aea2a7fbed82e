// Adds the errors of tensors that comparisons have found to the graph of a report.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/layer_table.h"
#include "report/page/page.h"
#include "tensor/tensor.h"

namespace assay::pages {

// Sets the errors of the layers' tensors and where they come from. A tensor that the graph lacks is added without a
// node.
void add_errors(report::PageGraph& graph, const std::vector<compare::ComparedLayer>& layers);

// Keeps statistics of the tensors with the largest errors, which are computed while their values are in memory. Those
// of other tensors are dropped, so the memory needed doesn't depend on the number of tensors.
class WorstTensors {
 public:
  explicit WorstTensors(std::size_t most = 200) : most_(most) {}

  // Takes the values of a tensor if its error is among the largest so far. The same tensor may come again, with another
  // iteration's values: those with the largest error are kept.
  void add(std::string_view name, const tensor::Tensor& first, const tensor::Tensor& second, double error);

  // Sets the statistics of the page's tensors under the names of its sides, and types and shapes if the model doesn't
  // declare them. Tensors that the graph lacks are left out.
  void add_to(report::Page& page) const;

 private:
  struct Kept {
    double error = 0;
    std::string type, shape;
    std::vector<report::PageStatistics> statistics;
  };
  std::size_t most_;
  std::unordered_map<std::string, Kept> kept_;
  std::set<std::pair<double, std::string>> by_error_;
};

}  // namespace assay::pages
