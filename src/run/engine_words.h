// The words of a command line that select an engine with given settings. They follow from the settings, not from the
// user's command line, so that an engine with other settings (without an optimizer, say) can be named as well.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backend/find_engines.h"
#include "run/engine_runner.h"

namespace assay::run {

// The libraries, or the interpreters, that a command uses if none is named, by the kind of the engine.
using UsualLibraries = std::map<std::string, std::filesystem::path>;
UsualLibraries usual_libraries(const backend::EngineSearch& search);

// Returns the words that select the engine in `assay run`: {"--onnxrt=:threads=1"}. All settings are in the flag of the
// runner, so the words may follow those of other engines. Only the interpreter of Python is an option. Limits are left
// out.
std::vector<std::string> engine_words(const EngineSetup& engine, const UsualLibraries& usual);

}  // namespace assay::run
