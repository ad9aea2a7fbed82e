// Which output of one run is compared with which of another, where their names differ.
#pragma once

#include <string>
#include <vector>

namespace assay::compare {

struct OutputMatch {
  std::string first;
  std::string second;
  bool same_name = true;
};

// Each output of `first` with the one of `second` that has its name; else one whose name is the same but for case, or
// contains it or is contained in it; else the one at its place. An output is never matched twice, and those that have a
// partner of their own name are taken by no other. What finds no partner is left out. In the order of `first`.
std::vector<OutputMatch> match_outputs(const std::vector<std::string>& first, const std::vector<std::string>& second);

}  // namespace assay::compare
