// The groups in which changes are listed, one row for each aspect and kind: titles, words for JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diff/model_diff.h"

namespace assay::diff {

struct ChangeGroup {
  Aspect aspect;
  Kind kind;
  std::string_view one;   // "node added"
  std::string_view many;  // "nodes added"
};

// In the order in which they are listed. Every aspect and kind that occurs has a row.
std::span<const ChangeGroup> change_groups();

std::string_view name(Aspect aspect);  // "node", for programs
std::string_view name(Kind kind);

// Returns "1 node added" or "3 nodes added".
std::string count_text(const ChangeGroup& group, std::size_t count);

// Returns the changes of one group.
std::vector<const Change*> changes_of(const ModelDiff& diff, const ChangeGroup& group);

}  // namespace assay::diff
