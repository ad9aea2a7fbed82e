// Extracts a part of a model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "model/shapes.h"
#include "tensor/element_type.h"

namespace assay::surgeon {

// An input or output of the part. What is absent is determined from the model, by inference, or else by running it.
struct Boundary {
  std::string name;
  std::optional<std::vector<model::Dimension>> shape{};
  std::optional<tensor::ElementType> type{};
};

struct ExtractOptions {
  std::optional<std::vector<Boundary>> inputs{};   // absent: all of the model, needed or not
  std::optional<std::vector<Boundary>> outputs{};  // absent: those of the model
  bool run_for_shapes = false;                     // take all shapes from a run, even those that are known
};

// Runs the model and returns these tensors' types and shapes (shapes_by_running).
using FindShapes =
    std::function<base::Expected<std::map<std::string, model::TensorInfo>>(const std::vector<std::string>& tensors)>;

// Returns the nodes between the inputs and the outputs, in the order of the file, with the weights that they read;
// large weights stay references. Inputs and outputs are in the order of the options. Functions, operator sets and
// metadata are kept. Calls `find_shapes` only if inference leaves an input without type or rank, or an output without
// type, or if the options say so. Errors: not_found for names that the graph doesn't have; invalid_input for a name
// given twice, or for outputs that need tensors which no input supplies (the error names them). Given types and shapes
// that contradict the nodes are only a warning: the user may mean to edit these next.
base::Expected<model::Model> extract(const model::Model& model, const ExtractOptions& options,
                                     const FindShapes& find_shapes, base::Log& log);

}  // namespace assay::surgeon
