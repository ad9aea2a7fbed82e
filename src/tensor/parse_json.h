// Parses JSON that may be damaged or hostile: it can't exhaust the stack, and the errors are for people.
//
// nlohmann-json parses without recursion, but code that reads or writes a document recurses, so documents that nest too
// deep are refused.
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace assay::tensor {

// Returns the document, with members in the order of the text. Errors: invalid_input, with the place at which the text
// stops being JSON, or if lists and objects are nested more than 200 deep. `what` is a reason, such as "parse error at
// line 1, column 5: ...", which a caller puts after what it expected: "not a debug replay: ".
base::Expected<nlohmann::ordered_json> parse_json(std::string_view text);

// Checks the nesting for code that parses by itself. Errors: invalid_input. A text that isn't JSON passes:
// other files, such as models, contain brackets, too, and the parser says that these aren't JSON.
base::Status check_json_nesting(std::string_view text);

// Returns the reason in an exception that was thrown while a document was read, without the name that nlohmann-json
// gives to its exceptions, and without its functions: "key 'state' not found", "a value has the wrong type".
std::string json_reason(const std::exception& error);

}  // namespace assay::tensor
