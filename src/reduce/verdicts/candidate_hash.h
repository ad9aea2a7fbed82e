// The keys under which verdicts are stored: hashes of candidates and of files, the same in every process.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::reduce {

// Returns 32 hexadecimal digits, which differ for models that differ in anything that is saved. The cost is that of
// serializing the message: a weight in a file counts as its location, offset and length, so the content of the files
// has to be part of the identity under which verdicts are stored (input_identity). Weights that were computed are
// hashed by their bytes, since their location means nothing to another process. Returns an empty string if the message
// can't be serialized (2 GiB without its weights); such a candidate can't be judged either.
std::string candidate_hash(const model::Model& model);

// How much of the files of a model counts. `usual` reads only a part of large files, and relies on their modification
// times; `content` reads all of them, for files that each run creates again.
enum class InputIdentity { usual, content };

// Describes the files from which a model was loaded: file_identity() of the model file; name, size and modification
// time in nanoseconds of each file of external data. With `content`, name, size and a hash of all bytes of each file.
// Pass the model as it was loaded, before its weights are moved into new files. Errors: io.
base::Expected<std::string> input_identity(const model::Model& model, InputIdentity by = InputIdentity::usual);

// Describes a file by its size and a hash of its bytes. For a file of more than kHashedWhole bytes, it uses size,
// modification time and a hash of 6 MiB: the first and the last MiB, and 64 evenly spaced pieces of 64 KiB. A change to
// such a file that affects none of these goes unnoticed. Errors: not_found, io, invalid_input (not a regular file).
inline constexpr std::uint64_t kHashedWhole = std::uint64_t{64} << 20;
base::Expected<std::string> file_identity(const std::filesystem::path& path);

}  // namespace assay::reduce
