// The weights of a model in float16, as a stream to a file: a model may have more of them than memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "model/model.h"
#include "tensor/float16_values.h"
#include "tensor/tensor.h"

namespace assay::surgeon {

// Makes a folder in the system's temporary folder, which lasts as long as what finish() gives.
class Float16Weights {
 public:
  // `model`: whose weights they are; it must outlive this object.
  static base::Expected<Float16Weights> create(const model::Model& model);

  // `tensor`, a float32 one of the model, in float16. Large values go to the file.
  base::Expected<onnx::TensorProto> convert(const onnx::TensorProto& tensor);
  // The same for one that stays what it is: values in another file go to this one, unchanged, so that all weights lie
  // in one, which is how engines take them. Values in the message stay there, and so do those that convert() wrote.
  base::Status take_over(onnx::TensorProto& tensor);

  [[nodiscard]] const tensor::Float16Changes& changes() const { return changes_; }
  // The same by weight, of those that have such values.
  [[nodiscard]] const std::map<std::string, tensor::Float16Changes>& changed() const { return changed_; }
  // Whatever was changed since `before` belongs to the weight of this name.
  void note(const std::string& name, const tensor::Float16Changes& before);

  // To be called once: the file becomes the one that `converted` has its weights in.
  base::Expected<std::shared_ptr<const base::TempDir>> finish(model::Model& converted);

 private:
  Float16Weights(const model::Model& model, base::TempDir folder);
  void refer(onnx::TensorProto& tensor, std::uint64_t bytes);
  void write(std::span<const std::byte> bytes);

  const model::Model* model_;
  base::TempDir folder_;
  std::string file_name_;
  std::ofstream file_;
  std::uint64_t written_ = 0;
  tensor::Float16Changes changes_;
  std::map<std::string, tensor::Float16Changes> changed_;
};

}  // namespace assay::surgeon
