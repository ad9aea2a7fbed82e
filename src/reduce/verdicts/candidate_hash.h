// By what a verdict is found again: a hash of what was judged, the same in every process.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::reduce {

// 32 hexadecimal digits; models that differ in anything that is saved have different ones. Costs what the message
// costs: a weight by reference counts as its place (location, offset, length), so what is in the files has to be part
// of the identity that verdicts are kept under (input_identity). The bytes of weights that were computed are read:
// their place has no meaning to another process. Empty where the message cannot be serialized (2 GiB without its
// weights): such a candidate cannot be judged either.
std::string candidate_hash(const model::Model& model);

// What a model was loaded from, as text: its file (file_identity), and name, size and time of change of each file of
// external data, in nanoseconds. Take it of the model as it was loaded, before its weights are moved into new files.
// Errors: io.
base::Expected<std::string> input_identity(const model::Model& model);

// Size and hash of a file's bytes; of one that has more than kHashedWhole bytes, size, time of change and a hash of
// its first and last MiB and of 64 pieces of 64 KiB evenly between them: 6 MiB are read. A change of neither size, time
// nor these bytes goes unnoticed. Errors: not_found, io, invalid_input (not a regular file).
inline constexpr std::uint64_t kHashedWhole = std::uint64_t{64} << 20;
base::Expected<std::string> file_identity(const std::filesystem::path& path);

}  // namespace assay::reduce
