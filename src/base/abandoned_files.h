// Cleans up the temporary files that AtomicFile leaves behind if its process is killed.
//
// An AtomicFile holds a lock (flock) on its temporary file while it writes, and the kernel releases the lock when the
// writer dies. An unlocked temporary file therefore has no writer any more, and the next run can remove it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace assay::base {

// Returns true if AtomicFile could have named a temporary file for `name` like this: ".NAME.assay-XXXXXX".
bool is_temporary_of(std::string_view file, std::string_view name);

// Removes the temporary files for `path` whose writers have died. Silently keeps files that can't be listed, locked or
// removed.
void remove_abandoned(const std::filesystem::path& path);
// Does the same for several files of one folder, which is listed only once.
void remove_abandoned(const std::filesystem::path& folder, const std::set<std::string>& names);

}  // namespace assay::base
