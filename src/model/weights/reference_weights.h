// Serializes a model for an engine, with its large weights left in their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

inline constexpr std::uint64_t kInlineLimit = 64 << 20;

struct ReferencedModel {
  std::string bytes;
  std::filesystem::path external_data_dir;  // folder of its external data; empty if all data is in `bytes`
  // Keeps the files of that folder in their places: it may be temporary and owned by the model. Null if it is empty.
  std::shared_ptr<const WeightFiles> files;
};

// Weights of up to `inline_limit` bytes in total go into the bytes, which is simpler for the engine and cheaper than
// opening files. Above that, initializers become ONNX external data that refers to their present place, which may be
// inside the model file itself; they aren't read. Attributes always go into the bytes, as engines read them only from
// there. All weights go into the bytes, too, if their files were replaced meanwhile or are in unrelated folders.
// Errors: those of serialize(), such as more than 2 GiB of bytes; those of find_range().
base::Expected<ReferencedModel> serialize_by_reference(const Model& model, std::uint64_t inline_limit = kInlineLimit);

}  // namespace assay::model
