// Removes a folder when another process ends, however it ends.
#pragma once

namespace assay::backend {

// Starts a detached process that waits for the end of standard input, which comes when every process with the other end
// has exited, and then removes the folder. Returns at once, with the exit status of the calling process.
int clean_up_at_end(const char* folder);

}  // namespace assay::backend
