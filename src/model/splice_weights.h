// A serialized model with its weights put back inline, as pieces that can be written one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/external_data.h"
#include "model/model.h"

namespace assay::model {

// A piece of the result: bytes, or a range of a file.
struct Segment {
  std::string_view bytes;  // valid as long as the Splice it is from
  FileRange range;         // used where range.file is set
};

struct Splice {
  std::vector<std::unique_ptr<const std::string>> storage;  // the message as it is in memory, and new tags and lengths
  std::vector<Segment> segments;
  std::uint64_t size = 0;  // of all segments together
};

// Serializes `model` (which may be a changed copy; weights are looked up in `files`). Tensors by reference that were
// inline come back inline, in the form that they had; with `inline_external` so do all other tensors by reference, as
// raw_data. Takes memory for the message without weights only. Errors: invalid_input where it has 2 GiB without
// weights, and what find_range() says.
base::Expected<Splice> splice_weights(const onnx::ModelProto& model, const WeightFiles& files, bool inline_external);

}  // namespace assay::model
