// The external_data entries of a TensorProto, which say where its values are stored. Shared by loading, saving and
// reading weights.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/mapped_file.h"
#include "model/model.h"

namespace assay::model {

struct ExternalData {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  // absent: as many bytes as type and shape imply
  std::string inline_form;              // value of kInlineKey; empty if the tensor was external in the file
};

// The hint in errors about values that weren't loaded.
inline constexpr const char* kLoadExternalData =
    "Load the model with its external data: without --ignore-external-data, or with its folder as --external-data-dir";

bool is_external(const onnx::TensorProto& tensor);  // values are in a file, be it the model file or another
bool was_inline(const onnx::TensorProto& tensor);   // values are in the model file itself

// Parses the entries. Errors: invalid_input, naming the tensor, if location is missing or a number can't be parsed.
base::Expected<ExternalData> external_data(const onnx::TensorProto& tensor);

// Replaces all values and external_data entries of `tensor` by this reference.
void set_external_data(onnx::TensorProto& tensor, const ExternalData& data);

// Returns the location that marks weights stored in the model file itself. It begins with '#', as ONNX's own code marks
// data that has no file of its own, so it can't be mistaken for a real file.
std::string inline_location(const std::filesystem::path& model_path);

// The folders in which a model's external data may be.
struct DataPlace {
  std::filesystem::path folder;      // to which locations are relative
  std::filesystem::path model_file;  // empty if the model is in memory
};

// Returns the path of the existing file that `location`, an entry of `tensor`, names in `place.folder`. Symbolic links
// may lead to where the model's file really is: in the cache of Hugging Face, the file and its data are links to one
// folder (ONNX Runtime has the same rule since its pull request 27374). Errors: invalid_input if the location is an
// absolute path or leads elsewhere (by ".." or through links), not_found if the file doesn't exist.
base::Expected<std::filesystem::path> resolve_location(const DataPlace& place, const std::string& location,
                                                       const std::string& tensor);

struct FileRange {
  std::shared_ptr<const base::MappedFile> file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// Returns the byte range that holds the values of an external tensor, checked against the file's size. Errors:
// not_found if the file wasn't loaded, invalid_input if it is too short, or has changed since.
base::Expected<FileRange> find_range(const WeightFiles& files, const ExternalData& data,
                                     const onnx::TensorProto& tensor);

}  // namespace assay::model
