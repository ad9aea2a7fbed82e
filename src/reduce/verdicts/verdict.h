// The verdict of a check on a candidate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::reduce {

// The most bytes of a check's output that a verdict keeps.
inline constexpr std::size_t kKeptOutput = std::size_t{64} << 10;

// Returns the output or, if it has more than kKeptOutput bytes, its beginning and its end, in whole lines if possible.
// Most errors are reported last, but a message may be followed by megabytes of its details, such as the model as text.
std::string shorten_output(std::string output);

struct Verdict {
  enum class Kind {
    passes,
    fails,
    unresolved,  // neither: the candidate can't be judged. Searches skip it and never keep it
  };
  enum class Source {
    check,
    journal,      // of the same reduction, in an earlier run
    replay_file,  // which has only the kind
  };
  // Why it is unresolved.
  enum class Cause {
    unknown,        // also if it isn't unresolved
    rule,           // an exit status or text that the user declared to mean this
    limit,          // the check was killed at a limit, so it has no exit status by which to judge it
    check,          // the check has no data for it, for example
    engine,         // an engine can't load or run it, but runs the whole model
    saved_outputs,  // with which the check compares
    other_error,    // it fails differently, but the check ends in the same way
    other_ending,   // it fails differently: the check ends in another way
  };
  Kind kind = Kind::passes;
  // How the check ended, for people: "exit status 1", "crashed with signal 11 (Segmentation fault)".
  std::string text;
  std::string output{};  // what the check wrote (see shorten_output()); empty if it wasn't recorded
  double seconds = 0;    // that the check took, without the work around it
  Source source = Source::check;
  Cause cause = Cause::unknown;
  // The error of the outputs, if they were compared: the norm of the difference, relative to that of the values.
  std::optional<double> output_error = std::nullopt;
  bool known = false;  // the same candidate was asked for before: no check is counted for it
  // It passes only because no pattern of --fail-regex matched the output. Journals don't store that.
  bool lacks_match = false;
};

// Makes the verdict an unresolved one.
void set_aside(Verdict& verdict, Verdict::Cause cause, std::string text);

// Returns "FAILS" and the like, for people.
std::string_view describe(Verdict::Kind kind);

// The number of a candidate in a replay file. Counts from 0 in each phase. A candidate that needs no check takes a
// number, too, as in Polygraphy.
struct Iteration {
  int number = 0;
  std::string phase;  // "outputs", "inputs", "minimal"; empty if the command has no phases
};

}  // namespace assay::reduce
