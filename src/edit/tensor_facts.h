// Types and shapes of a subject's tensors: what its file declares, what ONNX infers and, if wanted, what an engine saw.
//
// They are an immutable value, which all candidates of a subject share. What is known for one candidate only is in
// CandidateFacts.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <memory>
#include <vector>

#include "base/error.h"
#include "edit/subject.h"
#include "tensor/tensor.h"

namespace assay::edit {

// A type and shape that a tensor had in a run. All sizes are known, unlike inferred ones, but they hold for one set of
// inputs only.
struct SeenShape {
  TensorId id;
  tensor::ElementType type;
  tensor::Shape shape;
};
onnx::ValueInfoProto to_value_info(const Subject& subject, const SeenShape& seen);

// Copies are cheap, since they share everything.
class TensorFacts {
 public:
  enum class Inference {
    none,  // only what the file declares
    onnx,  // also the results of ONNX's own inference and, for types that it misses, what the signatures of the
           // operators that compute or read the tensor imply
  };
  // Refers to the subject, which must outlive this object and its copies.
  explicit TensorFacts(const Subject& subject, Inference inference = Inference::none);

  // Returns the error if inference broke; what was inferred until then counts.
  [[nodiscard]] const base::Status& inference() const { return facts_->inference; }
  // Returns facts in which what an engine saw replaces everything else that is known of these tensors.
  [[nodiscard]] TensorFacts replaced_by(const std::vector<SeenShape>& seen) const;

  [[nodiscard]] const Subject& subject() const { return facts_->subject; }
  // Returns what is known of a tensor: a declaration is completed by what is inferred (sizes instead of symbols). Null
  // if nothing is known. Valid as long as this object or a copy exists.
  [[nodiscard]] const onnx::ValueInfoProto* find(TensorId id) const {
    return facts_->known[static_cast<std::size_t>(id)].get();
  }
  // Returns a guess of type and rank where find() knows the type only, or null. See guess_ranks.h.
  [[nodiscard]] const onnx::ValueInfoProto* find_guess(TensorId id) const;

 private:
  using Known = std::vector<std::shared_ptr<const onnx::ValueInfoProto>>;  // by tensor
  struct Facts {
    const Subject& subject;
    Known known;
    std::map<TensorId, onnx::ValueInfoProto> guesses;
    base::Status inference;
  };
  explicit TensorFacts(std::shared_ptr<const Facts> facts) : facts_(std::move(facts)) {}
  static base::Status infer(const Subject& subject, Known& known);
  static void add_signature_types(const Subject& subject, Known& known);
  static void add_unified_types(const Subject& subject, Known& known);
  static std::map<TensorId, onnx::ValueInfoProto> guess(const Subject& subject, const Known& known);

  std::shared_ptr<const Facts> facts_;
};

// Returns true if the type is known; for tensors, also the element type. `value` may be null.
bool names_type(const onnx::ValueInfoProto* value);
// Returns true if the type and, for tensors, the rank are known.
bool names_rank(const onnx::ValueInfoProto* value);

}  // namespace assay::edit
