// The journal of a diagnosis: its state as JSON, in a file of its folder that is written after each step.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "diagnose/state.h"

namespace assay::diagnose {

std::string to_json(const State& state);
// Errors: invalid_input if the text isn't such a state.
base::Expected<State> parse_state(const std::string& json);

// Returns the file of the journal in this folder.
std::filesystem::path journal_file(const std::filesystem::path& folder);
base::Status save_state(const State& state, const std::filesystem::path& folder);
// Returns nothing if there is no journal. Errors: invalid_input if it is damaged; io.
base::Expected<std::optional<State>> load_state(const std::filesystem::path& folder);

}  // namespace assay::diagnose
