// A model in memory as a file in memory, since OpenVINO reads files and models in memory with different code, and each
// accepts models that the other one refuses. Applications read files.
#pragma once

#include <optional>

#include "backend/serve/memory_file.h"
#include "backend/serve/serve.h"
#include "worker/engine.h"

namespace assay::backend {

// Writes the model, with its external data in it: OpenVINO accepts external data only below the folder of the file.
// Returns nothing if that is 2 GiB or more, which protobuf can't parse.
Answer<std::optional<MemoryFile>> file_in_memory(const worker::ModelBytes& model);

}  // namespace assay::backend
