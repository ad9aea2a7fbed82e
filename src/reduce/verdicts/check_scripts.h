// The identity of the scripts that a check runs. Verdicts are reused only by the same check: a user who stops a
// reduction to fix the script wants none of the old ones.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace assay::reduce {

// Returns a hash of the text of the scripts that a command runs. These are the files among its words, and among the
// parts of a word such as "exec python check.py {model}", that are executable, have a script's extension or are run by
// a program before them. Files of more than 1 MiB are data. A first word without a folder is looked up in the folders
// of `search_path`. The file at `artifact` doesn't count: a run that was killed may have left one there. A file that
// can't be read counts as empty.
std::string hash_of_scripts(const std::vector<std::string>& command, const std::filesystem::path& artifact,
                            std::span<const std::filesystem::path> search_path);

}  // namespace assay::reduce
