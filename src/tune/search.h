// Finds the replacements that make a model fastest. The search knows neither models nor engines: replacements are
// numbers, and a function times any combination of them.
//
// Times are noisy, and the fastest of many is partly luck. So a combination counts as faster only if the middle halves
// of the two models' runs don't overlap; of those that aren't slower than the fastest in this sense, the one with the
// fewest replacements is chosen; and this one and the model as it is are timed once more before it wins.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "run/timings.h"

namespace assay::tune {

using Combination = std::vector<std::size_t>;  // numbers of replacements from 0, sorted

// The result of trying one combination.
struct Trial {
  enum class Outcome {
    timed,
    overlaps,  // its replacements can't all be made
    fails,     // the model can't be changed, built or run
  };
  Combination replacements = {};  // empty: the model as it is
  Outcome outcome = Outcome::timed;
  run::TimingSummary times = {};  // if it was timed
  double load_s = 0;              // seconds that the engine took to build and load it, if it was timed
  std::string problem = {};       // if it wasn't timed
};

// Times a combination. An error ends the search; a combination that fails isn't one, but the model as it is must not
// fail.
using Measure = std::function<base::Expected<Trial>(const Combination&)>;

struct SearchOptions {
  enum class Mode {
    // Makes or undoes one replacement after another, and keeps each change that makes the model faster, until none
    // does.
    greedy,
    // Tries all combinations: single replacements, all together, all but one, pairs, triples and so on.
    exhaustive,
  };
  Mode mode = Mode::greedy;
  std::size_t max_combinations = 1000;  // tried, besides the model as it is
  double threshold = 0.1;               // least gain() of the result
};

enum class Outcome {
  unfinished,       // an error ended the search
  no_replacements,  // there is nothing to try
  none_faster,      // no combination is faster than the model as it is
  not_confirmed,    // one was, but not when it was timed once more
  below_threshold,  // one is, but by less than the threshold
  faster,
};

// Returns the name in reports.
std::string_view name_of(Outcome outcome);

struct Findings {
  std::vector<Trial> trials;  // in the order in which they were made; the first is the model as it is
  bool complete = true;       // false if max_combinations ended the search
  Outcome outcome = Outcome::unfinished;
  Combination best;  // chosen by the search, and to be used if the outcome is `faster`
  // The second timing of the model as it is and of `best`, if that isn't empty.
  std::optional<Trial> confirmed_before;
  std::optional<Trial> confirmed_after;

  [[nodiscard]] bool improves() const { return outcome == Outcome::faster; }
  // Returns the part of the median time that is saved, by the second timing: 0.25 if 4 ms become 3 ms; negative if it
  // is slower. Returns 0 if there is no second timing.
  [[nodiscard]] double gain() const;
};

// Searches the combinations of the numbers below `count`. Fills `found` as it goes, so it holds what was tried even if
// an error ends the search. Errors: those of `measure`.
base::Status search(std::size_t count, const SearchOptions& options, const Measure& measure, Findings& found);

}  // namespace assay::tune
