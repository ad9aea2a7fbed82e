// A folder that is removed when a process ends, however it ends.
#pragma once

namespace assay::backend {

// Returns at once, in the process that called; a process of its own, which nobody waits for, waits until standard input
// ends, as it does when all that hold its other side are gone, and removes the folder. Gives the exit status.
int clean_up_at_end(const char* folder);

}  // namespace assay::backend
