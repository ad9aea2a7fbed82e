// Opens an engine's shared library, with errors that say more than those of dlopen().
#pragma once

#include <string>

#include "backend/serve/serve.h"

namespace assay::backend {

// Returns a Refused in phase start if the file is a library for another processor, which dlopen() reports as a missing
// file, or if its end is missing: then the process would crash while dlopen() maps it.
Answer<void> check_library(const std::string& path);

// Returns the library's handle. `flags` are those of dlopen(). Returns a Refused in phase start if it can't be opened.
Answer<void*> open_library(const std::string& path, int flags);

}  // namespace assay::backend
