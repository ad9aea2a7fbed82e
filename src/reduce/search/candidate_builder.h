// A model whose nodes are searched, with what is known of its tensors. Builds candidates from selections.
//
// Every model that is searched (the original, a reduced one with a body opened, a body turned into a model) gets its
// own builder. So all candidates are selections of one subject, and the cost of building one depends on its own size.
// A candidate depends only on its draft, not on those that were built before it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/explore/strategy.h"
#include "reduce/values/reference.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {

// Creates the reference for a subject; returns null if no engine is available. An empty function: no references.
using MakeReference = std::function<std::unique_ptr<Reference>(const edit::Subject&, const edit::TensorFacts&)>;

class CandidateBuilder {
 public:
  struct Options {
    bool infer_shapes = true;
    bool shapes_from_reference = false;  // take every shape from the reference
    CutValues values = CutValues::automatic;
    bool keep_unread = false;    // all candidates keep the inputs and weights that no node reads
    bool passed_through = true;  // all candidates keep outputs that are inputs; false for bodies (a Loop's states)
    UnknownRank unknown_rank = UnknownRank::keep_producers;
    MakeReference reference;
    base::Log& log;
  };
  CandidateBuilder(SharedModel model, edit::Subject::Constants constants, const Options& options);
  CandidateBuilder(const CandidateBuilder&) = delete;
  CandidateBuilder& operator=(const CandidateBuilder&) = delete;

  [[nodiscard]] const edit::Subject& subject() const { return subject_; }

  // Builds a candidate. Its nodes belong to the builder's model, which it keeps alive. A draft that is a model is
  // returned as it is. Returns null if there's nothing to judge (no nodes, or UnknownRank::refuse).
  base::Expected<SharedModel> build(const Draft& draft);
  // Returns whether building a candidate may take long, since values have to be computed for it by an engine that fails
  // on a part of the model.
  [[nodiscard]] bool takes_long(const Draft& draft) const;
  // Builds the candidate that supplies some tensors in another way; returns null if it can't be built.
  base::Expected<SharedModel> build(const edit::Selection& wanted, const Supplied& supplied);

  // Returns the tensors that a selection needs from outside and that become inputs by the rules of `values`.
  [[nodiscard]] std::vector<edit::TensorId> cut_tensors(const edit::Selection& selection) const;
  [[nodiscard]] const edit::TensorFacts& facts() const { return supply_.facts(); }
  // Null if no engine is available.
  [[nodiscard]] Reference* reference() const { return reference_.get(); }

 private:
  struct ShapeOperand {
    edit::NodeId node;
    edit::TensorId tensor;
  };
  [[nodiscard]] SharedModel lend(CompleteSelection candidate) const;
  // Returns nothing if there's no such candidate. The draft must not be a model.
  std::optional<CompleteSelection> complete(const Draft& draft, BoundarySupply& supply) const;

  SharedModel model_;
  CutValues values_;
  bool keep_unread_;
  UnknownRank unknown_rank_;
  edit::Subject subject_;
  edit::TensorFacts inferred_;
  std::unique_ptr<Reference> reference_;
  BoundarySupply supply_;
  std::vector<ShapeOperand> shape_operands_;    // by node
  std::vector<edit::TensorId> passed_through_;  // outputs that all candidates keep
};

}  // namespace assay::reduce
