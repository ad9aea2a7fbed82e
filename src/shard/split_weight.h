// Cuts a weight into equal parts along one of its dimensions.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "model/model.h"
#include "model/weights/spill_weights.h"

namespace assay::shard {

// Which of the equal parts.
struct Part {
  std::int64_t index = 0;  // from 0
  std::int64_t count = 1;
};

// Replaces the values of `weight`, a tensor of `model`, by its part along `axis`. Reads it in pieces, and none but
// those of the part. Errors: invalid_input if the dimension isn't a multiple of the number of parts; unsupported if a
// part would begin inside a byte, for types of less than 8 bits, or if the type has no fixed size; those of
// model::read_weight.
base::Status keep_part(const model::Model& model, onnx::TensorProto& weight, int axis, const Part& part,
                       model::WeightSpill& spill);

// Returns the size of a part of something that has this name and size. Errors: invalid_input if the size isn't a
// multiple of the number of parts.
base::Expected<std::int64_t> part_of(std::int64_t size, const Part& part, std::string_view name);

}  // namespace assay::shard
