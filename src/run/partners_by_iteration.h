// Which outputs of engines and saved results are compared with each other, in each iteration.
//
// Engines return the same tensors in every iteration, and these are compared by name. Saved results may have other
// outputs in each iteration, and so other partners. They are matched as without windows (match_outputs()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "data/results_reader.h"
#include "run/partner_outputs.h"

namespace assay::run {

// One runner of a file with saved results.
struct StoredResults {
  std::shared_ptr<data::ResultsReader> reader;
  std::size_t runner = 0;
};

class PartnersByIteration {
 public:
  // Adds the outputs of all runs in the next iteration. `engines`: how many of the runs are engines.
  void add(std::vector<std::vector<std::string>> names, std::size_t engines);
  // Returns the partners in an iteration, which are those of the last one if there are more. At least one iteration
  // must have been added.
  [[nodiscard]] const PartnerOutputs& at(std::int64_t iteration) const;
  // Returns the groups of all iterations.
  [[nodiscard]] std::vector<std::string> groups() const;

 private:
  std::vector<std::shared_ptr<const PartnerOutputs>> by_iteration_;
};

using BytesByGroup = std::unordered_map<std::string, std::uint64_t>;

// Finds the partners among the outputs of engines, each a list of tensors, and of saved results. Sets in `bytes` the
// largest size of a saved output in each group. Errors: those of reading the results.
base::Expected<PartnersByIteration> find_partners(const std::vector<std::vector<std::string>>& engines,
                                                  const std::vector<StoredResults>& saved, BytesByGroup& bytes);

// Logs the outputs of each run that aren't compared, since no neighbour in the row has them. `runners`: their names.
void report_alone(const PartnerOutputs& partners, const std::vector<std::string>& runners, base::Log& log);

}  // namespace assay::run
