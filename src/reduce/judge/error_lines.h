// Sorts the lines that a check wrote by how likely they describe the failure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

struct LinesOfOutput {
  std::vector<std::string> errors;  // mention or declare an error, a difference or a crash, or give its causes
  std::vector<std::string> others;  // neither errors nor notes
  // Declare themselves to be information or warnings, repeat the command, or are frames of a traceback.
  std::vector<std::string> notes;
  // The place that raised the last exception with a Python traceback, as "check.py:7"; empty without a traceback.
  std::string raised_at;
};

// Returns the lines in order of appearance, without colour codes and surrounding white space; empty lines are left out.
// Recognises English words in any case, as engines write them.
LinesOfOutput sort_lines(std::string_view output);

// Returns whether `text` contains `word` (in lower case) as a whole word, ignoring the case of `text`.
bool has_word(std::string_view text, std::string_view word);

}  // namespace assay::reduce
