// Which outputs of several runs belong together, when only some of them are looked at.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay::run {

class PartnerOutputs {
 public:
  // Names of all outputs of each run, in running order; runs are compared with their neighbours, outputs matched as
  // match_outputs() does. There is at least one run; the first one's names are those that others are asked for by.
  explicit PartnerOutputs(const std::vector<std::vector<std::string>>& names);

  // What to ask `run` for so that these outputs of the first run find their partners.
  [[nodiscard]] std::unordered_set<std::string> of(std::size_t run, const std::vector<std::string>& outputs) const;
  // Outputs of `run` that are nobody's partner, in its order.
  [[nodiscard]] const std::vector<std::string>& alone(std::size_t run) const { return alone_[run]; }

 private:
  std::vector<std::unordered_map<std::string, std::string>> partners_;  // by run: from the first run's name
  std::vector<std::vector<std::string>> alone_;
};

}  // namespace assay::run
