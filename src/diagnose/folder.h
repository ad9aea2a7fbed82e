// The folder into which a diagnosis writes everything: a new one, or that of a diagnosis that is resumed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

// Creates the folder if it doesn't exist. Errors: invalid_input if it holds something other than a diagnosis to resume;
// io.
base::Status make_folder(const std::filesystem::path& folder, bool resume);

// Returns the state in the folder's journal, or one without steps if there is no journal. Errors: invalid_input if the
// journal has another identity; those of load_state().
base::Expected<State> earlier_state(const std::filesystem::path& folder, std::string identity);

// Creates the folder of the case, or opens it if `resume`, and returns the state from which the diagnosis continues.
// `data_words`: the options that generate or load the inputs. Errors: those of the functions above, and of
// reduce::input_identity().
base::Expected<State> open_folder(const Case& task, const std::vector<std::string>& data_words, bool resume);

}  // namespace assay::diagnose
