// Finds which outputs of several runs are compared with each other, when only some of them are requested.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay::run {

class PartnerOutputs {
 public:
  // `names`: all outputs of each run, in the order of the runs; there is at least one run. Neighbouring runs are
  // compared, with outputs matched by match_outputs(). Outputs are requested by the first run's names.
  explicit PartnerOutputs(const std::vector<std::vector<std::string>>& names);

  // Returns the outputs of `run` that are compared with these outputs of the first run.
  [[nodiscard]] std::unordered_set<std::string> of(std::size_t run, const std::vector<std::string>& outputs) const;
  // Returns the outputs of `run` without a partner, in its order.
  [[nodiscard]] const std::vector<std::string>& alone(std::size_t run) const { return alone_[run]; }

 private:
  // By run: from the first run's name to this run's name.
  std::vector<std::unordered_map<std::string, std::string>> partners_;
  std::vector<std::vector<std::string>> alone_;
};

}  // namespace assay::run
