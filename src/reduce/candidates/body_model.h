// A body of an If, Loop or Scan as a model of its own, and the way back: so whatever searches models searches bodies.
//
// Bodies are simplified by passes one change at a time, which is dear where a body has many nodes. Searched as a model,
// a body of 69 nodes costs what a model of 69 nodes costs. What a candidate needs from outside and what it gives back
// is then fitted into the node again, each in the way that needs the least around it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "edit/model_change.h"
#include "model/model.h"

namespace assay::reduce {

class BodyModel {
 public:
  // Bodies of the outer graph's nodes, with two nodes or more or with bodies inside, where the types of all that they
  // read from outside are known. `known`: of the tensors of `model`, those of bodies too.
  static std::vector<BodyModel> find(const model::Model& model, const edit::KnownValues& known);
  // Bodies inside a body: wrap() puts them in place there, and that in its place.
  static std::vector<BodyModel> find_inside(std::shared_ptr<const BodyModel> around);

  // Its inputs are what the body reads: what the node hands in, and captured tensors; captured weights are its own.
  [[nodiscard]] const model::Model& body() const { return body_; }
  // The way to it from the model around all.
  [[nodiscard]] edit::GraphPath path() const;
  [[nodiscard]] const std::string& what() const { return what_; }  // "the body of Scan 'n'"

  // The model around it with a candidate, made from body(), in its place.
  // - A state stays a state where the candidate has both ends of it. Else a Loop's body reads the initial value, and a
  //   Scan's scans a constant or an input.
  // - Inputs that a cut created are new inputs of the outer graph; a Scan scans them, as engines know no captured
  //   tensors in a Scan (OpenVINO 2026.4).
  // - Outputs that the body did not give back are stacked, and outputs of the model; for an If, the other branch gets a
  //   constant in their place.
  // Nothing where a type is missing for that, other nodes of the model cannot do without what went, or a name that is
  // free in the body around it is taken in the graph around that.
  [[nodiscard]] std::optional<model::Model> wrap(const model::Model& candidate) const;

 private:
  BodyModel() = default;

  model::Model outer_;
  edit::KnownValues known_;
  edit::NodeRef node_;
  std::string attribute_;
  model::Model body_;
  std::string what_;
  std::shared_ptr<const BodyModel> around_;  // null: the node is one of the outer graph
};

}  // namespace assay::reduce
