// Types and shapes of the tensors of a subject: what its file declares, what ONNX infers, what an engine saw.
#pragma once

#include <onnx/onnx_pb.h>

#include <list>
#include <map>
#include <span>
#include <vector>

#include "base/error.h"
#include "edit/subject.h"
#include "tensor/tensor.h"

namespace assay::edit {

class TensorFacts {
 public:
  // Refers to the subject, which must outlive it.
  explicit TensorFacts(const Subject& subject);
  TensorFacts(const TensorFacts&) = delete;
  TensorFacts& operator=(const TensorFacts&) = delete;

  // Adds what ONNX's own inference finds, and where that is nothing, the types that operators' signatures tell. An
  // error says why inference broke; what is known then stays known.
  base::Status infer();
  // Adds what an engine saw. Static, and so better than anything inferred, but true of one set of inputs only.
  void see(TensorId id, tensor::ElementType type, const tensor::Shape& shape);

  // From now on find() is find_static(), and nothing that was seen is forgotten.
  void prefer_seen() { prefer_seen_ = true; }
  void forget_seen();

  // Sets an element type for a tensor of which no type is known, such as one that its readers accept. It counts as
  // seen: see() overrides it, and forget_seen() forgets it.
  void assume_type(TensorId id, std::int32_t element_type);

  // What is declared, completed by what is inferred (sizes where the file has symbols), else seen; what lacks a rank
  // gives way to what was seen. Null: nothing is known.
  [[nodiscard]] const onnx::ValueInfoProto* find(TensorId id) const;
  // The same for an output: what was seen in one run tells its type and rank, but not its sizes.
  [[nodiscard]] onnx::ValueInfoProto describe_output(TensorId id) const;
  // As find(), with what was seen first.
  [[nodiscard]] const onnx::ValueInfoProto* find_static(TensorId id) const;

  // Every size is known, without what was seen.
  [[nodiscard]] bool has_sizes(TensorId id) const;
  // Enough is known to make the tensor a graph input.
  [[nodiscard]] bool has_type(TensorId id) const;
  [[nodiscard]] bool has_rank(TensorId id) const;

 private:
  void take_types_of_signatures();
  void take_rank(std::span<const TensorId> inputs, onnx::ValueInfoProto& value) const;

  const Subject& subject_;
  onnx::GraphProto inferred_;                       // owns what known_ points at, after infer(),
  std::list<onnx::ValueInfoProto> completed_;       // as does this: by signatures, or declared and inferred together
  std::vector<const onnx::ValueInfoProto*> known_;  // by tensor
  std::map<TensorId, onnx::ValueInfoProto> seen_;
  bool prefer_seen_ = false;
};

}  // namespace assay::edit
