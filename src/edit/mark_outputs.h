// Chooses which tensors a graph gives back: all of them, some by name or pattern, or those that certain operators make.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::edit {

// Names may be patterns (base::glob_match; "*" is every tensor). A word that is a tensor's exact name is that tensor.
struct MarkOptions {
  std::vector<std::string> outputs{};  // these become the outputs, in this order, instead of the graph's own
  // And all that nodes of these types make, in any case. A word that is no node's type but that of elements, such as
  // float16, is all that nodes make of these elements, as far as shape inference tells.
  std::vector<std::string> types{};
  std::vector<std::string> exclude{};  // these are taken away again

  [[nodiscard]] bool empty() const { return outputs.empty() && types.empty() && exclude.empty(); }
};

// Replaces the outputs of the outer graph. Each tensor is marked once; its type and shape are those that the model
// declares, else left open. Patterns stand for what the nodes of the outer graph make, in the order of the nodes:
// constants are left out, and sequences, optionals and maps with a note, as they have no values to compare. Graph
// inputs can be marked by their names; tensors inside bodies cannot. Nodes stay, used or not. Errors: not_found naming
// the words that no tensor has, or where nothing would be left.
base::Status mark_outputs(model::Model& model, const MarkOptions& options, base::Log& log);

// The names that mark_outputs() would mark, in its order, and its errors. With empty options: the graph's own outputs.
base::Expected<std::vector<std::string>> choose_outputs(const model::Model& model, const MarkOptions& options,
                                                        base::Log& log);
// Makes these tensors, by their exact names, the outputs of the outer graph. Errors: not_found, and the model stays as
// it was.
base::Status set_outputs(model::Model& model, const std::vector<std::string>& names);

}  // namespace assay::edit
