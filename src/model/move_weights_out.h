// Plans a save with external data: which weights go to files next to the model, and at which offsets.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "model/external_data.h"
#include "model/save.h"

namespace assay::model {

struct PlacedWeight {
  std::variant<std::string, FileRange> values;  // from the message, or a range of an existing file
  std::uint64_t offset = 0;                     // in the new file
};

struct WeightsFile {
  std::string name;                   // relative to the model
  std::vector<PlacedWeight> weights;  // ascending by offset
};

struct MovedWeights {
  // The model, in which moved tensors refer to `files`, and all others by reference are marked as inline.
  onnx::ModelProto proto;
  std::vector<WeightsFile> files;
};

// Returns the first position from `offset` on at which a weight of `length` bytes begins: ONNX recommends pages for
// large weights, which would waste space for many small ones.
std::uint64_t align_weight(std::uint64_t offset, std::uint64_t length);

// Plans the save. `model_name` is the file name of the model to be saved, which no weights file may have. Errors:
// invalid_input if the name in `options` can't be used; those of find_range().
base::Expected<MovedWeights> move_weights_out(const Model& model, const SaveOptions& options,
                                              const std::string& model_name);

}  // namespace assay::model
