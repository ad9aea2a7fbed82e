// Since which version of an engine's library does a model fail?
//
// There are few libraries, so all of them run, the oldest first. Failures needn't be monotone: a version may repair
// what another one breaks, and the table shows both.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "blame/output_judge.h"

namespace assay::blame {

struct Version {
  std::string number;  // as the library says: "1.20.1"
  std::filesystem::path library;
  Agreement judged;
  bool is_reference = false;  // the others are compared with it
};

struct VersionFindings {
  std::vector<Version> versions;           // ascending
  std::optional<std::size_t> first_fails;  // index of the first that fails
};

// Runs the model in the engine with each of these libraries. The outputs are compared with `saved`, or else with those
// of the oldest version that runs the model. A library that can't be opened is an error. Further errors: those of
// OutputJudge, except that an engine that fails counts as a version that fails. Logs a line for each version.
base::Expected<VersionFindings> judge_versions(const run::EngineSetup& engine,
                                               const std::vector<std::filesystem::path>& libraries,
                                               const worker::ModelSource& model,
                                               const std::optional<data::RunnerResults>& saved,
                                               const OutputJudge::Setting& setting);

// Lets `judge` judge each of these libraries instead of comparing outputs. Errors: those of the judge; a library that
// can't be opened.
base::Expected<VersionFindings> judge_versions(const run::EngineSetup& engine,
                                               const std::vector<std::filesystem::path>& libraries,
                                               const worker::ModelSource& model, const EngineJudge& judge,
                                               worker::Pool& pool, base::Log& log);

// Returns true if version `first` is lower than `second`: 1.9.0 is lower than 1.20.1.
bool is_lower_version(const std::string& first, const std::string& second);

}  // namespace assay::blame
