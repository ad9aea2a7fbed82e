// Builds a model from some of a model's nodes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/graph_view.h"
#include "model/model.h"
#include "model/shapes.h"

namespace assay::lint {

struct Part {
  model::Model model;
  std::vector<std::string> inputs;   // tensors that other nodes compute, and inputs of the model
  std::vector<std::string> outputs;  // results that no node of the part reads, and the wanted ones
};

// Builds a model of some nodes, in their order, and the weights that they read; large ones stay references. `infos`:
// types and shapes of the inputs. `wanted`: by tensor. Outputs have no type; the engine infers it.
Part make_part(const model::Model& model, const model::GraphView& view, std::span<const model::NodeId> nodes,
               const std::map<std::string, model::TensorInfo>& infos, const std::vector<bool>& wanted);

}  // namespace assay::lint
