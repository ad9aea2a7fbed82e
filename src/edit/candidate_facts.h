// The types and shapes of one candidate's tensors: the facts that all candidates of a subject share and, on top of
// them, those learned for this candidate alone.
//
// Each candidate gets its own object, so it never depends on which candidates were built before it.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>

#include "edit/tensor_facts.h"

namespace assay::edit {

class CandidateFacts {
 public:
  // Implicit: without anything on top, they are the shared facts.
  CandidateFacts(TensorFacts facts) : facts_(std::move(facts)) {}  // NOLINT(google-explicit-constructor)

  // Adds what an engine saw.
  void see(const SeenShape& seen) { seen_[seen.id] = to_value_info(facts_.subject(), seen); }
  // Sets an element type for a tensor of unknown type, for example one that its readers accept.
  void assume_type(TensorId id, std::int32_t element_type);

  // Returns the shared facts. If they have no rank, returns what was seen, if anything. Null if nothing is known.
  [[nodiscard]] const onnx::ValueInfoProto* find(TensorId id) const;
  // The same for an output: from what was seen, it takes type and rank but not the sizes. If nothing else is known, it
  // takes a guess of the rank.
  [[nodiscard]] onnx::ValueInfoProto describe_output(TensorId id) const;
  // As find(), but prefers what was seen.
  [[nodiscard]] const onnx::ValueInfoProto* find_static(TensorId id) const;

  // Returns true if find() knows every size.
  [[nodiscard]] bool has_sizes(TensorId id) const;
  // The value can be a graph input only if both are true.
  [[nodiscard]] bool has_type(TensorId id) const { return names_type(find(id)); }
  [[nodiscard]] bool has_rank(TensorId id) const { return names_rank(find(id)); }
  // Returns true if the value is a tensor of known element type. Checks can't generate sequences, optionals and maps.
  [[nodiscard]] bool has_tensor_type(TensorId id) const { return has_type(id) && find(id)->type().has_tensor_type(); }
  // Returns true if the value is a tensor of known element type and rank.
  [[nodiscard]] bool can_be_fed(TensorId id) const { return has_tensor_type(id) && has_rank(id); }

 private:
  TensorFacts facts_;
  std::map<TensorId, onnx::ValueInfoProto> seen_;
};

}  // namespace assay::edit
