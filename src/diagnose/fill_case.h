// Fills a Case with what a caller gives, whether that is the command line or a Python program.
#pragma once

#include <filesystem>
#include <vector>

#include "backend/find_engines.h"
#include "base/error.h"
#include "base/log.h"
#include "data/input_source.h"
#include "diagnose/case.h"
#include "run/engine_runner.h"

namespace assay::diagnose {

// Adds the engines that the user gave, which must be at least one, and those whose opinions are asked: the reference
// evaluator and one more engine of this machine, unless the user gave them. Also adds the libraries of all engines, and
// the engines that compute values.
void add_sides(Case& task, const std::vector<run::EngineSetup>& given, const backend::EngineSearch& search,
               base::Log& log);

// Adds all iterations, converted to what the model takes. Errors: those of `inputs` and data::fit_inputs().
base::Status add_inputs(Case& task, const data::InputsByIteration& inputs, base::Log& log);

// Adds saved results of one runner. Errors: invalid_input if the file has no results of this model's outputs, or those
// of several runners; those of reading it.
base::Status add_golden(Case& task, const std::filesystem::path& file);

}  // namespace assay::diagnose
