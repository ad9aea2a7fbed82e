// Describes the check command, as part of a journal's identity.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "reduce/judge/check_command.h"

namespace assay::reduce {

// Returns text that differs if verdicts of two checks may differ, apart from those that a time limit changes (see
// Journal::open): the words of the command, the text of its scripts (check_scripts.h, with `search_path` as described
// there), its rules and its limit of memory. Call it before the first check, when no candidate's file exists: a word
// may name that file as if it were a script.
std::string check_identity(const CheckSetup& check, std::span<const std::filesystem::path> search_path);

}  // namespace assay::reduce
