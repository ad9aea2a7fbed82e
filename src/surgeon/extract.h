// Cuts a part out of a model.
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

// An input or output of the part. What is absent is found out: from the model, by inference, else by running it.
struct Boundary {
  std::string name;
  std::optional<std::vector<model::Dimension>> shape{};
  std::optional<tensor::ElementType> type{};
};

struct ExtractOptions {
  std::optional<std::vector<Boundary>> inputs{};   // absent: those of the model, needed or not
  std::optional<std::vector<Boundary>> outputs{};  // absent: those of the model
  bool run_for_shapes = false;                     // take all shapes from a run, even those that are known
};

// Runs the model and tells these tensors' types and shapes (shapes_by_running).
using FindShapes =
    std::function<base::Expected<std::map<std::string, model::TensorInfo>>(const std::vector<std::string>& tensors)>;

// The nodes between the inputs and the outputs, in the order of the file, with the weights that they read; large
// weights stay references. Inputs and outputs come in the order of the options. Functions, operator sets and metadata
// stay. `find_shapes` is called only where inference leaves an input or output without a type or rank, or by option.
// Errors: not_found for names that the graph does not have; invalid_input for a name that is given twice, for outputs
// that need a tensor which no input supplies (all such are named).
base::Expected<model::Model> extract(const model::Model& model, const ExtractOptions& options,
                                     const FindShapes& find_shapes, base::Log& log);

}  // namespace assay::surgeon
