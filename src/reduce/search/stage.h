// A model whose nodes are searched, and what is known of its tensors: makes candidates of selections.
//
// Whatever is searched (the model, what is left of it once a body was opened, a body made a model) gets a stage of its
// own, so that all candidates are selections of one subject, and cost what they hold.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/search/strategy.h"
#include "reduce/values/reference.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {

// Creates the reference for a subject; null if there's no engine for one. Empty: there is none for any.
using MakeReference = std::function<std::unique_ptr<Reference>(const edit::Subject&, const edit::TensorFacts&)>;

class Stage {
 public:
  using SharedModel = std::shared_ptr<const model::Model>;
  struct Options {
    bool infer_shapes = true;
    bool see_all_shapes = false;  // from the reference
    SideValues values = SideValues::automatic;
    bool unread_inputs = false;  // inputs of the model that nobody reads stay in all candidates
    bool passed_through = true;  // so do outputs of it that are inputs; a body's are states, and its node's affair
    UnknownRank unknown_rank = UnknownRank::keep_makers;
    MakeReference reference;
    base::Log& log;
  };
  Stage(SharedModel model, edit::Subject::Constants constants, const Options& options);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  [[nodiscard]] const edit::Subject& subject() const { return subject_; }

  // Nodes of the result belong to the model of this stage, which it keeps. A draft that is a model is the result. Null
  // if there's no such candidate (UnknownRank::refuse).
  base::Expected<SharedModel> build(const Draft& draft);
  // The candidate that supplies some tensors in another way; null if there's none.
  base::Expected<SharedModel> build(const edit::Selection& wanted, const Supplied& supplied);

  // Returns the tensors that the nodes of a selection need from outside, and that become inputs by the rules.
  [[nodiscard]] std::vector<edit::TensorId> cut_tensors(const edit::Selection& selection) const;
  [[nodiscard]] const edit::TensorFacts& facts() const { return facts_; }
  // Null if there's none.
  [[nodiscard]] const std::shared_ptr<Reference>& reference() const { return reference_; }

 private:
  struct ShapeOperand {
    edit::NodeId node;
    edit::TensorId tensor;
  };
  SharedModel lend(edit::Selection selection) const;

  SharedModel model_;
  SideValues values_;
  bool unread_inputs_;
  UnknownRank unknown_rank_;
  edit::Subject subject_;
  edit::TensorFacts facts_;
  std::shared_ptr<Reference> reference_;
  BoundarySupply supply_;
  std::vector<ShapeOperand> shape_operands_;    // by node
  std::vector<edit::TensorId> passed_through_;  // outputs that stay
};

}  // namespace assay::reduce
