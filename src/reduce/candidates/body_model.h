// Turns a body of an If, Loop or Scan into a model of its own and back, so that the searches for models also work on
// bodies.
//
// Passes simplify bodies one change at a time, which is expensive for a body of many nodes. Searched as a model, a body
// of 69 nodes costs as much as a model of 69 nodes. The candidate that is found is then fitted back into the node;
// wrap() adapts the node's inputs and outputs to it, with as little change around it as possible.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "edit/changes/model_change.h"
#include "model/model.h"

namespace assay::reduce {

class BodyModel {
 public:
  // Returns the bodies of nodes of the outer graph that have two nodes or more, or bodies inside, and for which the
  // types of everything that they read from outside are known. `known`: the types of tensors of `model`, including
  // those in bodies.
  static std::vector<BodyModel> find(const model::Model& model, const edit::ValueInfos& known);
  // Returns the bodies inside a body. Their wrap() returns the whole model, with both bodies replaced.
  static std::vector<BodyModel> find_inside(std::shared_ptr<const BodyModel> around);

  // The body as a model. Its inputs are those of the body and the tensors that it captures; captured weights become its
  // own initializers.
  [[nodiscard]] const model::Model& body() const { return body_; }
  // The path to the body from the outermost model.
  [[nodiscard]] edit::GraphPath path() const;
  [[nodiscard]] const std::string& what() const { return what_; }  // "the body of Scan 'n'"

  // Returns the outer model with `candidate`, which was derived from body(), in place of the body.
  // - A state remains a state if the candidate still has its input and its output. Otherwise a Loop's body reads the
  //   initial value from outside, and a Scan's body gets it as an initializer or as a scanned input.
  // - Inputs that a cut created become new inputs of the outer graph. A Scan scans them, since engines don't support
  //   captured tensors in a Scan (OpenVINO 2026.4).
  // - New outputs of the body are stacked and become outputs of the model. For an If, the other branch returns a
  //   constant in their place.
  // Returns nothing if a required type is unknown, if other nodes need what was removed, or if a name that is free in
  // the enclosing body is taken in the graph around that.
  [[nodiscard]] std::optional<model::Model> wrap(const model::Model& candidate) const;

 private:
  BodyModel() = default;

  model::Model outer_;
  edit::ValueInfos known_;
  edit::NodeRef node_;
  std::string attribute_;
  model::Model body_;
  std::string what_;
  std::shared_ptr<const BodyModel> around_;  // null if the node is in the outer graph
};

}  // namespace assay::reduce
