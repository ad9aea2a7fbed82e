// Reads a weight without holding it in memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <functional>
#include <span>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Calls `visit` with the bytes of a weight, as read_weight() returns them, in pieces of `piece` bytes; the last may be
// shorter. Stops if `visit` returns false. Releases the memory of the file's pages as it goes, so that it takes little
// memory however large the weight is. Errors: those of read_weight().
base::Status read_in_pieces(const Model& model, const onnx::TensorProto& proto, std::size_t piece,
                            const std::function<bool(std::span<const std::byte>)>& visit);

}  // namespace assay::model
