// Cuts the large weights out of a model file, so that only the rest is parsed.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/mapped_file.h"

namespace assay::model {

// Returns the bytes of `file` (a serialized ModelProto) with the values of each tensor of at least kByReference bytes
// replaced by external_data entries: `location`, the values' offset and length in `file`, and kInlineKey. Returns an
// empty string if there is nothing to cut out. Only sound tensors are cut out, so this hides no fault: they have one
// value field with as many bytes as type and shape need, and a type whose bytes need no validation (not strings or
// 6-bit types). Errors: invalid_input if the file is truncated, damaged or nested too deeply; unsupported if 2 GiB or
// more remain.
base::Expected<std::string> take_out_weights(const base::MappedFile& file, std::string_view location);

}  // namespace assay::model
