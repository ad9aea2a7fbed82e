// The scripts that a check runs. They are a part of its identity: verdicts are reused only by the same check, since a
// user who stops a reduction to fix the script wants none of the old ones.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace assay::reduce {

// Returns the texts of the scripts and small programs that a command runs, in a fixed order:
//   - its first word; one without a folder is also looked up in the folders of `search_path`
//   - files among its words, and among the parts of a word such as "exec python check.py {model}", that are executable
//     or have a script's extension
//   - the word after the first one and its options, if the first one is a program: "python3 -u check {model}"
// Other files don't count, since the check itself may write them. Nor do files of more than 1 MiB, which are data or
// large programs. A file that can't be read counts as empty.
std::vector<std::string> texts_of_scripts(const std::vector<std::string>& command,
                                          std::span<const std::filesystem::path> search_path);

// Returns a hash of texts_of_scripts().
std::string hash_of_scripts(const std::vector<std::string>& command,
                            std::span<const std::filesystem::path> search_path);

}  // namespace assay::reduce
