// Finds which output of one run is compared with which of another, even if their names differ.
#pragma once

#include <string>
#include <vector>

namespace assay::compare {

struct OutputMatch {
  std::string first;
  std::string second;
  bool same_name = true;
};

// Matches each output of `first` with the output of `second` of the same name; else with one whose name contains it or
// is contained in it, ignoring case; else with the one at the same position. An output is matched at most once, and
// exact matches come first. Outputs without a partner are left out. The result is in the order of `first`.
std::vector<OutputMatch> match_outputs(const std::vector<std::string>& first, const std::vector<std::string>& second);

}  // namespace assay::compare
