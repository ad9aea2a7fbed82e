// A model as bytes for an engine, with its large weights left in their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

struct ReferencedModel {
  std::string bytes;
  std::filesystem::path external_data_dir;  // where its external data lies; empty where all of it is in `bytes`
};

// Weights of up to `inline_limit` bytes together are put into the bytes: less trouble for the engine, and cheaper than
// opening files. Above that, initializers are referred to as ONNX external data where they lie, which may be inside the
// model file itself; nothing of them is read. Attributes are always put in, as engines read them only from there.
// Errors: those of serialize(), where files were replaced meanwhile or lie in several folders, so that the weights have
// to go into the bytes, and these pass 2 GiB.
base::Expected<ReferencedModel> serialize_by_reference(const Model& model, std::uint64_t inline_limit = 64 << 20);

}  // namespace assay::model
