// Temporary files that AtomicFile leaves behind if its process is killed.
//
// An AtomicFile holds a lock (flock) on its temporary file for as long as it writes, and the kernel lets go of the lock
// when the writer dies. So a temporary file without a lock has no writer any more, and the next run removes it.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay::base {

// Whether `file` is a name that AtomicFile gives to a temporary file of `name`: ".NAME.assay-XXXXXX".
bool is_temporary_of(std::string_view file, std::string_view name);

// Removes temporary files of `path` whose writers have died. What can't be listed, locked or removed stays.
void remove_abandoned(const std::filesystem::path& path);

}  // namespace assay::base
