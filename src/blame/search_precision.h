// Applies find_precision() to a PrecisionSubject, and says what the findings mean. Each run is a line in the log.
#pragma once

#include <map>
#include <set>
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
  std::map<std::string, double> largest;  // see largest_values(); may be empty
  std::string precision = "float32";      // of what is kept
  std::string model;                      // its name in messages
  std::string quantized;                  // the name of the model after quantization; empty if there is none
};

struct PrecisionChoice {
  PrecisionFindings found;
  std::set<int> keep;   // the numbers of what has to be kept
  base::Status status;  // an error if something ended the search early: then the others are the best so far
};

// `iterations`: the replay file; null if none is read and written. Errors: invalid_input if the subject fails even if
// all candidates are kept. If nothing could be left out by then: those of the judge and of the replay file;
// interrupted, which says how to continue if there is a replay file.
base::Expected<PrecisionChoice> search_precision(const PrecisionSubject& subject, const PrecisionJudge& judge,
                                                 const PrecisionSearch& search, reduce::Iterations* iterations,
                                                 base::Log& log, const base::Stop& stop);

// Returns the choice for people: how many candidates are kept and, if the search is complete, a line for each.
std::string to_text(const PrecisionChoice& choice, const PrecisionSubject& subject, const PrecisionSearch& search);

// The parts of an answer that aren't in the choice.
struct PrecisionAnswer {
  std::vector<std::string> names;      // of all nodes or layers that are kept
  std::string model{};                 // the file of the mixed model; empty if none was saved
  std::vector<std::string> options{};  // of the command line, with which TensorRT keeps these layers; empty for nodes
};

// Formats one JSON object. NaN and infinities are the strings "nan" and "inf". assay.precision in Python takes the
// attributes of its answer from the members of the same names (python/assay/mixed_precision.py).
std::string to_json(const PrecisionChoice& choice, const PrecisionSubject& subject, const PrecisionSearch& search,
                    const PrecisionAnswer& answer);

}  // namespace assay::blame
