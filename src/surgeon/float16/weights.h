// Converts the weights of a model to float16 as a stream to a file, because they may not fit into memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "base/locked_temp_dir.h"
#include "model/model.h"
#include "tensor/float16_values.h"
#include "tensor/tensor.h"

namespace assay::surgeon {

// Creates a folder in the system's temporary folder, which is removed with the last copy of the model given to
// finish() or, if this process is killed, by a later one. Engines open the file by its path, so a file without a name
// wouldn't do.
class Float16Weights {
 public:
  // `model` owns the weights; it must outlive this object. With `only_round`, convert() returns float32.
  static base::Expected<Float16Weights> create(const model::Model& model, bool only_round = false);

  // Returns `tensor`, a float32 tensor of the model, in float16 or rounded to it. Large values are written to the file.
  base::Expected<onnx::TensorProto> convert(const onnx::TensorProto& tensor);
  // Keeps the type of a tensor, but moves its values from another file to this one, so that all weights are in one
  // file, as engines expect. Values in the message stay there, and so do those that convert() wrote.
  base::Status take_over(onnx::TensorProto& tensor);

  [[nodiscard]] const tensor::Float16Changes& changes() const { return changes_; }
  // The same for each weight that has such values.
  [[nodiscard]] const std::map<std::string, tensor::Float16Changes>& changed() const { return changed_; }
  // Attributes all changes since `before` to the weight of this name.
  void note(const std::string& name, const tensor::Float16Changes& before);

  // Must be called once: makes the file the weights file of `converted`. Errors: io.
  base::Status finish(model::Model& converted);

 private:
  Float16Weights(const model::Model& model, base::LockedTempDir folder, bool only_round);
  base::Expected<onnx::TensorProto> round(const onnx::TensorProto& tensor, const tensor::Tensor& values);
  void refer(onnx::TensorProto& tensor, std::uint64_t bytes);
  void write(std::span<const std::byte> bytes);

  const model::Model* model_;
  bool only_round_;
  base::LockedTempDir folder_;
  std::string file_name_;
  std::ofstream file_;
  int write_error_ = 0;  // errno of the first write that failed; 0: none
  std::uint64_t written_ = 0;
  tensor::Float16Changes changes_;
  std::map<std::string, tensor::Float16Changes> changed_;
};

}  // namespace assay::surgeon
