// External data of a model in memory, for versions of ONNX Runtime that cannot be told the folder where it lies
// (before 1.21).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/onnxruntime_library.h"
#include "base/files.h"

namespace assay::backend {

// The locations that a serialized model names, each once. Found by their encoding, key before value, as every protobuf
// library writes it; a weight that happens to hold the same bytes only adds a name that nobody asks for.
std::vector<std::string> external_locations(std::string_view model);

// Maps the files and makes them known to a session. They have to outlive it. A file that is not below the folder, or is
// not there, is left for ONNX Runtime to complain about.
class ExternalFiles {
 public:
  Answer<void> add(const OnnxRuntimeLibrary& library, std::string_view model, const std::filesystem::path& folder,
                   OrtSessionOptions* options);
  void clear() { files_.clear(); }

 private:
  std::vector<std::shared_ptr<const base::MappedFile>> files_;
};

}  // namespace assay::backend
