// Chooses the outputs of a graph: all tensors, some by name or pattern, or those that certain operators produce.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::edit {

// Names may be wildcards (base::Pattern::wildcard(); "*" matches every tensor). A word that is a tensor's exact name
// means only that tensor, be it "*"; a line in the log says so.
struct MarkOptions {
  std::vector<std::string> outputs{};  // these become the outputs, in this order, instead of the graph's own
  // In addition, all outputs of nodes of these types, in upper or lower case. A word that isn't an operator in the
  // model but an element type, such as float16, means all node outputs of that element type, as far as shape inference
  // knows.
  std::vector<std::string> types{};
  std::vector<std::string> exclude{};  // removed from the result; tensors that aren't in it are a warning
  bool all = false;                    // every tensor, in addition, even if one is named "*"

  // What errors call the three lists; a command calls them by its options.
  struct Labels {
    std::string outputs = "outputs";
    std::string types = "outputs by type";
    std::string exclude = "excluded outputs";
  };
  Labels labels{};

  [[nodiscard]] bool empty() const { return !all && outputs.empty() && types.empty() && exclude.empty(); }
};

// Replaces the outputs of the outer graph. Each tensor is marked once, with the type and shape that the model declares,
// if any. Patterns match the node outputs of the outer graph, in node order: constants are left out, and so are
// sequences, optionals and maps (with a note in the log), because they have no values to compare. Graph inputs can be
// marked by name; tensors inside bodies can't be marked. Nodes stay, used or not. Errors: not_found, naming the words
// that match no tensor, or if no output would remain; those of base::Pattern.
base::Status mark_outputs(model::Model& model, const MarkOptions& options, base::Log& log);

// Returns the names that mark_outputs() would mark, in the same order and with the same errors. With empty options,
// these are the graph's own outputs.
base::Expected<std::vector<std::string>> choose_outputs(const model::Model& model, const MarkOptions& options,
                                                        base::Log& log);
// Makes these tensors, given by exact name, the outputs of the outer graph. Errors: not_found; the model is then
// unchanged.
base::Status set_outputs(model::Model& model, const std::vector<std::string>& names);

}  // namespace assay::edit
