// Judges engines by the user's check command, in place of their outputs: `--check` of the tools that look for a setting
// or a version of an engine that makes the difference.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>

#include "base/error.h"
#include "blame/output_judge.h"
#include "cli/context/command.h"
#include "cli/options/check_options.h"

namespace assay::cli {

// Checks that no option is given that has no effect: with a check, those that choose inputs or compare outputs, and
// without one, those of the check. Errors: invalid_input.
base::Status check_judge_options(const CheckOptions& check, const CLI::App& app);

// Returns a judge that builds the engine, saves what it builds as `artifact`, and runs the check. An engine that fails
// to build doesn't agree. `context` must outlive the result. Errors: those of judge_iteration().
base::Expected<blame::EngineJudge> judge_built_engines(const CheckOptions& check, const std::filesystem::path& artifact,
                                                       Context& context);

// Returns a judge that runs the check with the engine's library in the variable that `assay` and scripts read, e.g.
// ASSAY_ONNXRUNTIME_LIB. `check` and `context` must outlive the result.
blame::EngineJudge judge_libraries(const CheckOptions& check, Context& context);

}  // namespace assay::cli
