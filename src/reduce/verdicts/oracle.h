// Who says whether a candidate still fails: a check command, a person, or, in tests, a function.
//
// The searches know only this. So they are tested without files or processes, and whatever comes next (an engine's
// outcome, a comparison) is one more function.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/model.h"

namespace assay::reduce {

// Bytes of a check's output that a verdict keeps, from its end: errors are usually reported last.
inline constexpr std::size_t kKeptOutput = std::size_t{64} << 10;

struct Verdict {
  enum class Kind {
    passes,
    fails,
    unresolved,  // neither: the candidate cannot be judged. Searches step round it, and never keep it
  };
  enum class Source {
    check,
    journal,      // of the same reduction, which was ended before
    replay_file,  // which tells the kind and no more
  };
  Kind kind = Kind::passes;
  std::string text;      // how it ended, for people: "exit code 1", "signal 11 (Segmentation fault)"
  std::string output{};  // what the check wrote, or the end of it (see kKeptOutput); empty where nobody knows
  double seconds = 0;    // that judging took; not the tool's own work around it
  Source source = Source::check;
  bool known = false;  // the same candidate was asked for before: no check is counted for it
};

// "FAILS", for people.
std::string_view describe(Verdict::Kind kind);

// Which try this is. Counts from 0 in each phase; a try that needs no judging takes a number too, so that the numbers
// of a replay file fit.
struct Iteration {
  int number = 0;
  std::string phase;  // "outputs", "inputs"; empty where a command has no phases
};

struct Candidate {
  const model::Model& model;
  int nodes = 0;  // that can be removed: Constant nodes taken for values do not count
  Iteration iteration;
  // Set where the very bytes of this file are to be judged, not the model written anew.
  std::optional<std::filesystem::path> verbatim;
};

// Errors end the reduction: a candidate that cannot be written, a command that does not exist, a request to stop.
using Oracle = std::function<base::Expected<Verdict>(const Candidate&)>;

}  // namespace assay::reduce
