// Types and shapes of a subject's tensors: what its file declares, what ONNX infers, and what an engine saw.
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

  // Adds the results of ONNX's own inference and, for types that it misses, what the operators' signatures imply. If
  // inference breaks, the error says why, and the facts known so far stay.
  base::Status infer();
  // Adds what an engine saw. That is static, and so better than anything inferred, but holds for one set of inputs
  // only.
  void see(TensorId id, tensor::ElementType type, const tensor::Shape& shape);

  // Makes find() return what find_static() returns from now on, and makes forget_seen() do nothing.
  void prefer_seen() { prefer_seen_ = true; }
  void forget_seen();

  // Sets an element type for a tensor of unknown type, for example one that its readers accept. It counts as seen:
  // see() overrides it, and forget_seen() forgets it.
  void assume_type(TensorId id, std::int32_t element_type);

  // Returns what is declared, completed by what is inferred (sizes instead of symbols). If that has no rank, returns
  // what was seen, if anything. Null if nothing is known.
  [[nodiscard]] const onnx::ValueInfoProto* find(TensorId id) const;
  // The same for an output: from what was seen in a run, it takes type and rank but not the sizes.
  [[nodiscard]] onnx::ValueInfoProto describe_output(TensorId id) const;
  // As find(), but prefers what was seen.
  [[nodiscard]] const onnx::ValueInfoProto* find_static(TensorId id) const;

  // Returns true if find() knows every size.
  [[nodiscard]] bool has_sizes(TensorId id) const;
  // The tensor can be a graph input only if both are true.
  [[nodiscard]] bool has_type(TensorId id) const;
  [[nodiscard]] bool has_rank(TensorId id) const;

 private:
  void take_types_of_signatures();
  void take_rank(std::span<const TensorId> inputs, onnx::ValueInfoProto& value) const;

  const Subject& subject_;
  onnx::GraphProto inferred_;                  // owns what known_ points to after infer(),
  std::list<onnx::ValueInfoProto> completed_;  // and so does this: from signatures, or declared and inferred combined
  std::vector<const onnx::ValueInfoProto*> known_;  // by tensor
  std::map<TensorId, onnx::ValueInfoProto> seen_;
  bool prefer_seen_ = false;
};

}  // namespace assay::edit
