// Finds which outputs of several runs are compared with each other, when only some of them are requested at a time.
//
// Neighbouring runs are compared. An output, its partner in the next run, that one's partner in the run after it and so
// on form a group: they have to be in memory at the same time. A group is named after its first output.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compare/match_outputs.h"

namespace assay::run {

class PartnerOutputs {
 public:
  // `names`: all outputs of each run, in the order of the runs; there is at least one run. Outputs are matched by
  // match_outputs(), but only with those of the same name between the first `by_name` runs.
  explicit PartnerOutputs(std::vector<std::vector<std::string>> names, std::size_t by_name = 0);

  // Returns the names of all groups, in an order that follows those of the runs. Groups of the same name count as one:
  // the first and the third run may have an output that the second one lacks.
  [[nodiscard]] std::vector<std::string> groups() const;
  [[nodiscard]] const std::string& group(std::size_t run, const std::string& output) const {
    return groups_[run].at(output);
  }
  // Returns the outputs of `run` in these groups.
  [[nodiscard]] std::unordered_set<std::string> of(std::size_t run, const std::vector<std::string>& groups) const;
  // Returns which outputs of `run` are compared with which of the next run.
  [[nodiscard]] const std::vector<compare::OutputMatch>& matches(std::size_t run) const { return matches_[run]; }
  // Returns the outputs of `run` that aren't compared with any other, in its order.
  [[nodiscard]] std::vector<std::string> alone(std::size_t run) const;

  [[nodiscard]] const std::vector<std::vector<std::string>>& names() const { return names_; }

 private:
  std::vector<std::vector<std::string>> names_;
  std::vector<std::vector<compare::OutputMatch>> matches_;            // of each run but the last
  std::vector<std::unordered_map<std::string, std::string>> groups_;  // by run: from the output to its group
};

}  // namespace assay::run
