// Weights of a model in files beside its candidates, which refer to them instead of holding them.
//
// Engines take external data only from plain files in the candidate's own folder or below it: no absolute path, no
// "..", no symbolic link, and, for ONNX's own Python loader, no hard link. So a file of weights that lies there already
// is referred to where it is; any other is cloned (FICLONE: the blocks are shared, nothing is copied) where the file
// system can, and else copied, only the ranges that the model uses, at their offsets, the rest a hole.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/stop.h"
#include "model/external_data.h"
#include "model/model.h"
#include "model/visit_tensors.h"
#include "reduce/scratch_files.h"

namespace assay::reduce {

class SharedWeights {
 public:
  // New files are called "ARTIFACT.weights", "ARTIFACT.1.weights" ...
  explicit SharedWeights(std::filesystem::path artifact) : artifact_(std::move(artifact)) {}

  // Shares the files of external data of `model` that cost no copy. True where those were all, and there was one.
  base::Expected<bool> share_without_copy(const model::Model& model, ScratchFiles& scratch);
  // Copies what is not shared yet; with the weights that are in the model file itself, too, if those are initializers:
  // engines do not read attributes from files. Errors: io; interrupted.
  base::Status copy(const model::Model& model, ScratchFiles& scratch, const base::Stop& stop);

  // Makes a model that came from that one refer to the files; what they do not have is marked to come inline.
  base::Status refer(model::Model& candidate) const;

 private:
  struct Moved {
    std::uint64_t length = 0;
    std::uint64_t offset = 0;  // in the new file
  };
  struct Place {
    std::string location;                          // relative to the candidates
    std::shared_ptr<const base::MappedFile> from;  // the original
    std::map<std::uint64_t, Moved> ranges{};       // by their offset before; empty: all offsets are as they were
  };
  base::Expected<std::filesystem::path> next_file(ScratchFiles& scratch);
  base::Status refer(onnx::TensorProto& tensor, model::TensorRole role, const model::WeightFiles& files) const;
  [[nodiscard]] std::optional<model::ExternalData> place_of(const model::ExternalData& data,
                                                            const model::WeightFiles& files) const;

  std::filesystem::path artifact_;
  int files_ = 0;
  std::optional<std::filesystem::path> spare_;  // a name that a clone which failed did not use
  std::map<std::string, Place> places_;         // by location in the original
};

// Bytes of the weights that lie in files.
std::uint64_t bytes_by_reference(const onnx::ModelProto& model);

}  // namespace assay::reduce
