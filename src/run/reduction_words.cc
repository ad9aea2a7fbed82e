#include "run/reduction_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "run/tensorrt_settings.h"

namespace assay::run {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kRunsOfFlaky = "10";
constexpr std::array<std::string_view, 3> kProfiles = {"trt-min-shapes", "trt-opt-shapes", "trt-max-shapes"};
constexpr std::array kEqualSpecials = {"--infinities-compare-equal", "--nans-compare-equal"};

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// A reduction takes one set of generated inputs, however many the check generates.
Words for_one_set(Words inputs) {
  const auto count = std::ranges::find(inputs, "--iterations");
  if (count != inputs.end()) inputs.erase(count, count + 2);
  return inputs;
}

// Returns whether an option, or a setting in the flag of a runner, is about optimisation profiles of TensorRT.
bool names_profiles(const Words& engines) {
  return std::ranges::any_of(engines, [](const std::string& word) {
    return std::ranges::any_of(kProfiles, [&](std::string_view name) { return word.find(name) != std::string::npos; });
  });
}

}  // namespace

ReductionWords reduction_words(const FailingRun& run) {
  ReductionWords words{.command = {"debug", "reduce", run.model}, .check = {"assay", "run", kCandidate}};
  append(words.command, for_one_set(run.inputs));
  append(words.check, run.engines);
  if (names_profiles(run.engines)) words.check.emplace_back(kOptionalProfiles);  // candidates may lack inputs
  append(words.check, run.inputs);
  if (!run.input_shapes.empty()) {
    words.command.emplace_back("--model-input-shapes");
    append(words.command, run.input_shapes);
    words.check.emplace_back("--input-shapes");
    append(words.check, run.input_shapes);
  }
  if (run.is_intermittent) append(words.command, {"--repeat", kRunsOfFlaky});
  if (!run.golden.empty()) {
    // Saved values are valid for unchanged nodes only, so nothing may happen to the model but that nodes are removed.
    append(words.command, {"--mode", "linear"});
    append(words.check, {"--load-outputs", run.golden});
  }
  append(words.check, run.comparison);
  if (!run.compares) return words;
  // A candidate that an engine can't run at all is another failure.
  append(words.command, {"--fail-regex", "Outputs that differ"});
  // As the searches judge outputs. Otherwise every part with a mask of infinities would fail the check.
  for (const char* option : kEqualSpecials) {
    if (std::ranges::find(run.comparison, option) == run.comparison.end()) words.check.emplace_back(option);
  }
  return words;
}

}  // namespace assay::run
