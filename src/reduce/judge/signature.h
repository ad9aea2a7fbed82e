// The signature of a failure, by which it is distinguished from other failures.
//
// As a model shrinks, the names, shapes, counts and addresses in the check's output change although the failure is the
// same. On the other hand, the check may now fail because the model was cut badly. No rule can decide this with
// certainty, so there are three, from narrow to wide, and the user chooses.
//
// Known limits: a check that writes nothing has one failure for each way to end, and words that an engine uses for many
// failures (ONNX Runtime's INVALID_GRAPH) are one class.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct Signature {
  // "exit status 1", "crashed with signal 11 (Segmentation fault)", "did not end within 5 s"; empty if unknown.
  std::string ending;
  // The lines that report errors, without the parts that vary: numbers, addresses, times, paths, quoted names. Each
  // line occurs once; lines are separated by newlines; at most 8 KiB.
  std::string text;
  // The words that name the error, sorted, at most 32: NOT_IMPLEMENTED, ShapeInferenceError, SIGSEGV, an assertion's
  // condition, a position in an engine's source ("conv.cpp:38"), MISMATCH if numbers differ, NOT_FINITE if none do but
  // some are NaN or infinity on both sides, NaN or infinity if outputs hold such values. Words that only say that there
  // is an error (RuntimeError, FAIL) are used only if there are no others. Empty for a crash and for a check that
  // didn't end, since the last output often has nothing to do with it.
  std::vector<std::string> classes;
  // For each line that names conditions of assertions or positions in an engine's source: which. Only while there are
  // fewer than 32 classes.
  std::set<std::vector<std::string>> places;
  std::string raised_at;      // the place that raised the last Python exception, "check.py:7"; empty if there was none
  bool memory_fault = false;  // the check or a program that it ran ended by one (memory_faults.h)
  bool names_error = false;   // the classes come from lines that report errors, not just from other lines
  std::string headline;       // the first line that reports an error, with single spaces, at most 200 characters

  friend bool operator==(const Signature&, const Signature&) = default;
};

// Returns the signature of a failing verdict.
Signature signature_of(const Verdict& verdict);

// Returns whether the check said that numbers differ, or are NaN or infinity on both sides (MISMATCH or NOT_FINITE
// among the classes).
bool reports_difference(const Signature& signature);

// Returns whether numbers differ in the reference, but those of the second failure agree: they are only NaN or infinity
// on both sides, like the mask of an attention.
bool reports_only_specials(const Signature& reference, const Signature& seen);

// Returns the Signature::ending of the verdict: its text without what follows a colon, such as the last line of the
// output, an allocator's message, or the number of runs.
std::string ending_of(const Verdict& verdict);

// How similar two failures must be to count as the same. Each value names the parts of the signatures that must agree.
enum class SameFailure {
  // The ending and the text.
  strict,
  // The ending, in which all memory faults count as one, as they do among the classes, and
  // - at least half of the classes, of whichever failure has more;
  // - no line of the second failure names only places that the reference doesn't know: that would be a further error;
  // - if all classes of the reference stand for many failures (RuntimeError, ValueError): raised_at, unless one of them
  //   has none, and at least half of the words.
  // If the reference has no classes, the second failure must not name an error (Signature::names_error). It may have
  // classes from other lines: a check that reports wrong results in its own words can name something by chance.
  same_class,
  // Nothing.
  any,
};

// Returns whether two failures are the same. An unknown ending (a verdict from a replay file) matches every failure.
bool same_failure(const Signature& reference, const Signature& seen, SameFailure mode);

// Returns "exit status 1 with NOT_IMPLEMENTED", for people.
std::string describe(const Signature& signature);

// Returns describe() with the headline: "exit status 1 with NOT_IMPLEMENTED: [E] the engine failed while building:
// ...". If the headline begins with the classes, they aren't repeated: "exit status 1: RuntimeError: no such thing".
std::string describe_with_headline(const Signature& signature);

}  // namespace assay::reduce
