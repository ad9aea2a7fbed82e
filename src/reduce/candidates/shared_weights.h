// Weights of a model in files beside its candidates, which refer to them instead of holding them.
//
// Engines take external data only from plain files in the candidate's own folder or below it: no absolute path, no
// "..", no symbolic link, and, for ONNX's own Python loader, no hard link. So a file of weights that lies there already
// is referred to where it is; any other is cloned (FICLONE: the blocks are shared, nothing is copied) where the file
// system can. Else, if the user says that the check takes hard links, it gets another name there. Else a file full of
// holes takes its place, into which a weight is copied when the first candidate with it comes: over a whole reduction
// no weight is copied twice, and none that no candidate has.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/stop.h"
#include "model/external_data.h"
#include "model/model.h"
#include "model/visit_tensors.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/candidates/sparse_file.h"

namespace assay::reduce {

class SharedWeights {
 public:
  // New files are called "ARTIFACT.weights", "ARTIFACT.1.weights" ...
  enum class HardLinks { no, yes };
  SharedWeights(std::filesystem::path artifact, HardLinks links) : artifact_(std::move(artifact)), links_(links) {}

  // Finds a place for all external data of `model`; and for the weights in the model file itself, if those are
  // initializers: engines do not read attributes from files. To be called once. Errors: io, also
  // where a hard link is wanted and cannot be made.
  base::Status open(const model::Model& model, ScratchFiles& scratch);

  // Bytes that fill() would copy for a model that came from that one.
  std::uint64_t missing(const model::Model& candidate);
  // Copies what a candidate needs and is not there yet. Not from two threads at once. Errors: io; interrupted.
  base::Status fill(const model::Model& candidate, const base::Stop& stop);
  // Makes a candidate refer to the files; what they do not have is marked to come inline. May run beside fill().
  base::Status refer(model::Model& candidate) const;

 private:
  struct Moved {
    std::uint64_t length = 0;
    std::uint64_t offset = 0;  // in the new file
  };
  struct Place {
    std::string location;                          // relative to the candidates
    std::shared_ptr<const base::MappedFile> from;  // the original
    std::map<std::uint64_t, Moved> moved{};        // by their offset before; empty: all offsets are as they were
    std::optional<SparseFile> copy{};
  };
  using Visit = std::function<base::Status(Place& place, std::uint64_t offset, const model::FileRange& from)>;

  base::Expected<std::filesystem::path> next_file(ScratchFiles& scratch);
  // Calls for each weight of a candidate that has a place in a copy.
  base::Status each_copied(const model::Model& candidate, const Visit& visit);
  base::Status refer(onnx::TensorProto& tensor, model::TensorRole role, const model::WeightFiles& files) const;
  // The place of a weight and, in it, the offset; null: there is none.
  [[nodiscard]] std::pair<const Place*, std::uint64_t> find(const model::ExternalData& data, model::TensorRole role,
                                                            const model::WeightFiles& files) const;

  std::filesystem::path artifact_;
  HardLinks links_;
  int files_ = 0;
  std::map<std::string, Place> places_;  // by location in the original
};

// Bytes of the weights that lie in files.
std::uint64_t bytes_by_reference(const onnx::ModelProto& model);

}  // namespace assay::reduce
