// What a check wrote, sorted by how likely a line is to tell of the failure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

struct LinesOfOutput {
  std::vector<std::string> errors;  // speak of an error, a difference or a crash
  std::vector<std::string> others;  // neither errors nor notes
  std::vector<std::string> notes;   // say of themselves that they only inform or warn, or are frames of a traceback
};

// Each in order of appearance, without colours and without white space at the ends; empty lines are left out. Case and
// language: English words in any case, as engines write them.
LinesOfOutput sort_lines(std::string_view output);

// Whether `word` (in lower case) is in `text`, not as a part of a longer word. Case of `text` does not matter.
bool has_word(std::string_view text, std::string_view word);

}  // namespace assay::reduce
