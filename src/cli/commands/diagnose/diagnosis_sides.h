// The engines of a diagnosis: those that the user gave, and those whose outputs serve as opinions.
#pragma once

#include <vector>

#include "cli/installation.h"
#include "diagnose/case.h"

namespace assay::cli {

// Returns the given engines first, then the reference evaluator and one more engine, if they aren't given and seem to
// be installed. Whether they run is found out later.
std::vector<diagnose::Side> diagnosis_sides(const std::vector<run::EngineSetup>& given,
                                            const Installation& installation);

// Sets the libraries that a command uses if none is named, further ones that are installed, and the engines that
// compute values.
void add_libraries(diagnose::Case& task, const Installation& installation, base::Log& log);

}  // namespace assay::cli
