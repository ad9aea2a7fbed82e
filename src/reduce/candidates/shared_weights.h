// Stores the weights of a model in files next to its candidates, which refer to them instead of containing them.
//
// Engines accept external data only from regular files in the candidate's own folder or below it: no absolute path, no
// "..", no symbolic link and, in ONNX's own Python loader, no hard link. So for each file of weights, the first of
// these that is possible is done:
//   1. If it is in such a folder already, candidates refer to it.
//   2. It is cloned (FICLONE: both files share their blocks, nothing is copied), if the file system can do that.
//   3. It gets a hard link there, if the user says that the check accepts hard links.
//   4. A sparse file takes its place, and a weight is copied into it when the first candidate has it. Over a whole
//      reduction no weight is copied twice, and unused weights are never copied.
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
#include "base/mapped_file.h"
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

  // Finds a place for all external data of `model`, and for initializers in the model file itself (engines don't read
  // external data of attributes). Call it once. Errors: io, also if a hard link is wanted and can't be created.
  base::Status open(const model::Model& model, ScratchFiles& scratch);

  // Returns the number of bytes that fill() would copy for a candidate of that model.
  std::uint64_t missing(const model::Model& candidate);
  // Copies the weights that the candidate needs and that aren't in the files yet. Not thread-safe. Errors: io;
  // interrupted.
  base::Status fill(const model::Model& candidate, const base::Stop& stop);
  // Makes a candidate refer to the files. Weights that aren't in them are marked to be saved inline. May run at the
  // same time as fill().
  base::Status refer(model::Model& candidate) const;

 private:
  struct Moved {
    std::uint64_t length = 0;
    std::uint64_t offset = 0;  // in the new file
  };
  struct WeightFile {
    std::string location;                          // relative to the candidates
    std::shared_ptr<const base::MappedFile> from;  // the original file
    std::map<std::uint64_t, Moved> moved{};        // by offset in the original; empty if no offset changed
    std::optional<SparseFile> copy{};
  };
  using Visit = std::function<base::Status(WeightFile& place, std::uint64_t offset, const model::FileRange& from)>;

  base::Expected<std::filesystem::path> next_file(ScratchFiles& scratch);
  // Calls `visit` for each weight of the candidate whose place is in a copy.
  base::Status each_copied(const model::Model& candidate, const Visit& visit);
  base::Status refer(onnx::TensorProto& tensor, model::TensorRole role, const model::WeightFiles& files) const;
  // Returns the place of a weight and its offset there; null if it has none.
  [[nodiscard]] std::pair<const WeightFile*, std::uint64_t> find(const model::ExternalData& data,
                                                                 model::TensorRole role,
                                                                 const model::WeightFiles& files) const;

  std::filesystem::path artifact_;
  HardLinks links_;
  int files_ = 0;
  std::map<std::string, WeightFile> places_;  // by location in the original
};

// Returns the number of bytes of weights that the model holds as references to files, its own file included.
std::uint64_t bytes_by_reference(const onnx::ModelProto& model);

}  // namespace assay::reduce
