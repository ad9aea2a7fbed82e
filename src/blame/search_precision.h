// Applies find_precision() to a PrecisionSubject. Each run is a line in the log.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "blame/find_precision.h"
#include "blame/judge_precision.h"
#include "blame/precision_subject.h"
#include "reduce/verdicts/iterations.h"

namespace assay::blame {

struct PrecisionSearch {
  PrecisionOptions options;
  const std::map<std::string, double>& largest;  // see largest_values(); may be empty
  std::string precision;                         // of what is kept, for messages
};

// Fills `found` as it goes, so it holds the best so far if an error ends the search. `iterations`: the replay file;
// null if none is read and written. Errors: those of the judge and of the replay file; interrupted.
base::Status search_precision(const PrecisionSubject& subject, const PrecisionJudge& judge,
                              const PrecisionSearch& search, reduce::Iterations* iterations, base::Log& log,
                              const base::Stop& stop, PrecisionFindings& found);

// Returns the findings of a complete search that passes: how many candidates are kept, and a line for each.
std::string to_text(const PrecisionFindings& found, const PrecisionSubject& subject, const PrecisionSearch& search);

// The parts of an answer that aren't among the findings.
struct PrecisionAnswer {
  std::vector<std::string> names;      // of all nodes or layers that are kept
  std::string model{};                 // the file of the mixed model; empty if none was saved
  std::vector<std::string> options{};  // of the command line, with which TensorRT keeps these layers; empty for nodes
  bool stopped = false;                // the search ended early, so fewer may be enough
};

// Formats one JSON object, whose keys are the attributes of assay.MixedPrecision in Python
// (python/assay/mixed_precision.py), with the file of the model instead of the model.
std::string to_json(const PrecisionFindings& found, const PrecisionSubject& subject, const PrecisionSearch& search,
                    const PrecisionAnswer& answer);

}  // namespace assay::blame
