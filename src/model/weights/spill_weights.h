// Moves computed weights out of memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/temp_dir.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// Writes computed weights piece by piece, so that not even one of them has to fit into memory. They go to a file in the
// system's temporary folder. Its name is removed by finish(), its space is freed with the last copy of the model.
class WeightSpill {
 public:
  // `model` is the one for which finish() will be called.
  explicit WeightSpill(const Model& model);

  // Appends bytes to the current weight, which end() completes.
  void write(std::span<const std::byte> bytes);
  // Makes the bytes written since the last end() the values of `tensor`, in place of those that it has: in the message
  // if they are fewer than kByReference, otherwise by reference, as if they had been inline.
  void end(onnx::TensorProto& tensor);
  // Adds the file to model.files; must be called before the weights are read. Errors: io if the temporary folder is
  // full or not writable.
  base::Status finish(Model& model);

 private:
  void open();

  std::string location_;
  std::optional<base::TempDir> folder_;  // absent until a weight is large enough
  std::ofstream file_;
  int write_error_ = 0;        // errno of the first write that failed; 0: none
  std::string pending_;        // the beginning of the weight, until it is large enough for the file
  std::uint64_t begin_ = 0;    // of the weight in the file
  std::uint64_t written_ = 0;  // bytes in the file
  base::Status status_;
};

// Returns messages for the tensors, under these names and in this order, with their values in a WeightSpill; strings
// stay in the message. Errors: those of WeightSpill::finish().
base::Expected<std::vector<onnx::TensorProto>> spill_weights(
    Model& model, const std::vector<std::pair<std::string, tensor::Tensor>>& weights);

}  // namespace assay::model
