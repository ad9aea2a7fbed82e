// Recognises a check that can't run at all, whatever the model: a program, a library or a Python module that it needs
// is missing, or an option is wrong. Every candidate would seem to fail, and hours later the result would be a model
// without any meaning.
#pragma once

#include <optional>
#include <string>

namespace assay::reduce {

struct Unable {
  std::string why;  // "exit status 127: sh: 1: my_engine: not found"
  std::string fix;  // what to do
};

// Judges by the exit status and the output of a check, as a shell and Python report it. Returns nothing if there is no
// sign of it. A check may end in this way on purpose, so ask only if the user hasn't said which failures count.
std::optional<Unable> why_unable(int code, const std::string& output);

}  // namespace assay::reduce
