// What a failure looks like, so that it can be told from another one.
//
// While a model gets smaller, names, shapes, counts and addresses in what the check writes change, and the failure is
// still the same; or the check fails now because the model has been cut badly, and it is not. No rule can be sure. So
// there are three, from narrow to wide, and the user chooses.
//
// Known limits: a check that writes nothing has one failure for each way to end; and words that an engine uses for
// many failures (ONNX Runtime's INVALID_GRAPH) are one class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

struct Signature {
  // "exit code 1", "crashed with signal 11 (Segmentation fault)", "did not end within 5 s"; empty where nobody knows.
  std::string ending;
  // The lines that tell of errors, with what varies taken out: numbers, addresses, times, paths, quoted names. Each
  // line once, one below the other, at most 8 KiB.
  std::string text;
  // The words that name the error, sorted, at most 32: NOT_IMPLEMENTED, ShapeInferenceError, SIGSEGV, an assertion's
  // condition, a place in an engine's source ("conv.cpp:38"); MISMATCH where numbers differ. Words that say no more
  // than that there is an error (RuntimeError, FAIL) only where there are no others. Empty for a crash, whose last
  // words have often nothing to do with it.
  std::vector<std::string> classes;
  std::string headline;  // the first line that tells of an error, as the check wrote it, at most 200 bytes

  friend bool operator==(const Signature&, const Signature&) = default;
};

Signature signature_of(const Verdict& verdict);

enum class SameFailure {
  strict,      // ending and text
  same_class,  // ending, and at least half of the classes of either; where the reference has none, the ending alone
  any,
};

// Symmetric but for a reference without classes. An ending that nobody knows (a verdict of a replay file) fits all.
bool same_failure(const Signature& reference, const Signature& seen, SameFailure mode);

// "exit code 1 with NOT_IMPLEMENTED", for people.
std::string describe(const Signature& signature);

}  // namespace assay::reduce
