// Splits a model into parts that an engine takes and parts that it doesn't. A part consists of nodes that follow one
// another in the file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "surgeon/extract.h"

namespace assay::surgeon {

// An engine's answer about a model: groups of nodes, by their indices in it, in rising order. Nodes in no group are
// refused.
struct Opinion {
  struct Group {
    std::vector<std::size_t> nodes;
    bool supported = false;
  };
  std::vector<Group> groups;
  std::string reason;  // why it doesn't take the whole model
};
using AskEngine = std::function<base::Expected<Opinion>(const model::Model&)>;

// The nodes from `begin` to before `end`, in the order of the file, as a model of their own.
struct PartOfModel {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool supported = false;
  std::string reason;  // why not
  model::Model model;
};

// Returns the parts in the order of the file; together they are the model. Asks again about each group that the engine
// refuses as a whole, until it refuses all of it, as Polygraphy does. Errors: those of `ask` and of extract();
// invalid_input if the engine names nodes that don't exist.
base::Expected<std::vector<PartOfModel>> partition(const model::Model& model, const AskEngine& ask,
                                                   const FindShapes& find_shapes, base::Log& log);

}  // namespace assay::surgeon
