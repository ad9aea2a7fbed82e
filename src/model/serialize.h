// A model as bytes, with all weights inline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// The size of the largest file that protobuf reads, in bytes. It rejects a file of 2^31 - 1 bytes.
inline constexpr std::uint64_t kLargestFile = (std::uint64_t{1} << 31) - 2;

// Errors: invalid_input if a model with its weights has more than kLargestFile bytes.
base::Status check_file_size(std::uint64_t bytes);

// Returns the size of the model with all weights inline. Reads no weights. Errors: those of find_range().
base::Expected<std::uint64_t> inline_bytes(const Model& model);

// Returns the bytes of the whole model, all weights inline, as save() would write it.
// Errors: invalid_input above 2 GiB.
base::Expected<std::string> serialize(const Model& model);
// Writes the same bytes to the caller's memory: `allocate` receives their number, and returns where they go or null.
// Errors: also io if it returns null.
base::Status serialize(const Model& model, const std::function<char*(std::size_t bytes)>& allocate);

}  // namespace assay::model
