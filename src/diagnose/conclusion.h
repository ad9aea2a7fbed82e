// Sums up the answers of a diagnosis: one sentence, and whether a cause was found.
#pragma once

#include <string>
#include <vector>

#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

struct Conclusion {
  enum class Outcome {
    healthy,    // nothing found
    cause,      // a cause was found
    undecided,  // the budget ended first
  };
  Outcome outcome = Outcome::healthy;
  std::string sentence;
};

Conclusion conclude(const Case& task, const State& state);

// Summarises a diagnosis that the user has stopped: how many steps have ended, what fails, and how to continue.
std::string stopped_sentence(const Case& task, const State& state);

// Returns the questions that the budget cut short.
std::vector<std::string> unfinished(const State& state);

// Returns what is wrong with the model itself, and where. Needs Facts::defect.
std::string describe_defect(const Facts& facts);

}  // namespace assay::diagnose
