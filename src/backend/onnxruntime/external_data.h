// Provides the external data of a model in memory to versions of ONNX Runtime before 1.21, which can't be told its
// folder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/onnxruntime/library.h"
#include "base/mapped_file.h"

namespace assay::backend {

// Returns the locations of external data in a serialized model, each once. Searches for their encoding, key before
// value, as every protobuf library writes it. A weight that contains the same bytes only adds a location that isn't
// used.
std::vector<std::string> external_locations(std::string_view model);

// Maps the files and passes them to a session, which they must outlive. Skips files that are missing or not below the
// folder, so that ONNX Runtime reports them.
class ExternalFiles {
 public:
  Answer<void> add(const OnnxRuntimeLibrary& library, std::string_view model, const std::filesystem::path& folder,
                   OrtSessionOptions* options);
  void clear() { files_.clear(); }

 private:
  std::vector<std::shared_ptr<const base::MappedFile>> files_;
};

}  // namespace assay::backend
