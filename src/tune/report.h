// The findings of a search as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "tune/search.h"
#include "tune/tune_plugins.h"

namespace assay::tune {

struct ReportInput {
  const Findings& found;
  const std::vector<Replacement>& replacements;
  const TuneOptions& options;
  std::string model;    // its file
  std::string engine;   // for people
  std::string problem;  // the error that ended the search; may be empty
};

// Says in one or two sentences what was found.
std::string conclusion(const ReportInput& input);

std::string to_text(const ReportInput& input);
std::string to_json(const ReportInput& input);

}  // namespace assay::tune
