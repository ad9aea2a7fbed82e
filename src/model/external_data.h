// The external_data entries of a TensorProto: where its values lie. Shared by loading, saving and reading weights.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

struct ExternalData {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  // absent: to the end of the file
  std::string inline_form;              // value of kInlineKey; empty where the tensor was external in the file
};

bool is_external(const onnx::TensorProto& tensor);  // by reference, in whatever file
bool was_inline(const onnx::TensorProto& tensor);   // by reference to the model file itself

// Errors: invalid_input, naming the tensor, where location is missing or a number is none.
base::Expected<ExternalData> external_data(const onnx::TensorProto& tensor);

// Replaces all values and entries of `tensor` by this reference.
void set_external_data(onnx::TensorProto& tensor, const ExternalData& data);

// The location that marks weights which lie in the model file itself. It begins with '#', which is how ONNX's own code
// tells data that is in no file of its own, so that it can be mistaken for no real file.
std::string inline_location(const std::filesystem::path& model_path);

// The file that a location of `tensor` means, below `folder`; it exists. Errors: invalid_input where it is an absolute
// path or leads out of the folder (by ".." or through symbolic links), not_found where it is not there.
base::Expected<std::filesystem::path> resolve_location(const std::filesystem::path& folder, const std::string& location,
                                                       const std::string& tensor);

struct FileRange {
  std::shared_ptr<const base::MappedFile> file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// Where the values of a tensor by reference lie, checked against the end of the file.
base::Expected<FileRange> find_range(const WeightFiles& files, const ExternalData& data,
                                     const onnx::TensorProto& tensor);

}  // namespace assay::model
