// Serializes a model with its weights put back inline, as pieces to be written one after the other.
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
  std::string_view bytes;  // valid as long as the Splice
  FileRange range;         // used instead if range.file is set
};

// The bytes of a range are those of the mapped file, and valid as long as it.
std::string_view bytes_of(const Segment& segment);

struct Splice {
  std::vector<std::unique_ptr<const std::string>> storage;  // the serialized message, new tags and lengths
  std::vector<Segment> segments;
  std::uint64_t size = 0;  // bytes of all segments together
};

// Says whether external data stays external or becomes inline raw_data.
enum class ExternalWeights { stay, inlined };

// Serializes `model`, which may be a changed copy; its weights are looked up in `files`. Weights by reference that were
// inline are put back inline in their original form. Allocates memory for the message without weights only. Errors:
// invalid_input if that alone has 2 GiB or more; those of find_range().
base::Expected<Splice> splice_weights(const onnx::ModelProto& model, const WeightFiles& files,
                                      ExternalWeights external);
// The same with all weights inline, except for external data that was left out when the model was loaded.
base::Expected<Splice> splice_weights(const Model& model);

// Copies all segments to `out`, which must have room for splice.size bytes.
void copy_bytes(const Splice& splice, char* out);

}  // namespace assay::model
