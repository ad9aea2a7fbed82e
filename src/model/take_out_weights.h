// A model file without its large weights: the form in which it is parsed.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/files.h"

namespace assay::model {

// The bytes of `file` (a serialized ModelProto) in which each tensor of at least kByReference bytes has, in place of
// its values, external_data entries with `location`, the values' offset in `file`, their length and kInlineKey. Only
// tensors that are sound are taken out: one value field, as many bytes as type and shape need, not a type whose bytes
// have to be looked at (strings, 6 bits); so leaving them out hides no fault. Empty where there was nothing to take
// out. Errors: invalid_input where the file is cut off or damaged, or nested too deeply.
base::Expected<std::string> take_out_weights(const base::MappedFile& file, std::string_view location);

}  // namespace assay::model
