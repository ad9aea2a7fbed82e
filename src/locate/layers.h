// Builds the rows of the answer: what a search has seen of each tensor, with the node that computes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "locate/location.h"
#include "locate/search/probe.h"
#include "locate/seen_tensors.h"
#include "locate/sides/locate_input.h"
#include "locate/sides/part_builder.h"
#include "locate/sides/skeleton.h"
#include "model/model.h"

namespace assay::locate {

// The model whose nodes the answer names, and its compared tensors.
struct NamedModel {
  const model::Model& model;
  const Skeleton& skeleton;
};

// Returns the row of one tensor, with what was seen of it in the whole model.
Layer layer_of(const NamedModel& named, const std::string& tensor, const SeenTensor& seen);

struct SeenLayers {
  std::vector<Layer> layers;  // compared in the whole model, in topological order
  std::string grew_earlier;   // a tensor before `first` that differs in the model, but not by itself; or empty
};
// Returns the rows of all tensors that were seen. `first`: the first cell at which a difference is born.
SeenLayers layers_of(const NamedModel& named, const SeenTensors& seen, CellId first);

// Returns the result of the cell that differs most, according to the best evidence: its node alone, a piece, or the
// whole model.
struct NamedTensor {
  Layer layer;
  std::optional<Divergence> in_piece;
};
NamedTensor tensor_of(const NamedModel& named, const SeenTensors& seen, CellId cell);

// Adds the weights with values beyond float16 to the layers whose nodes read them.
void name_weights(const LocateInput& input, Location& location);

// Returns a note for a model whose outputs agree and in which no difference is born at a node.
std::string describe_insides(const std::vector<Reading>& readings);

// Returns a note on the nodes whose insides a search of all tensors doesn't see; empty if there are none.
std::string note_on_hidden_insides(const model::Model& model);

// Return descriptions of nodes for the answer: those of a part, numbered as in the model that `named` builds parts of,
// and those of cells.
std::vector<std::string> describe_nodes(const Part& part, const PartBuilder& named);
std::vector<std::string> describe_cells(const NamedModel& named, const std::vector<CellId>& cells);

// Returns notes on what is hidden inside that node: its bodies, or the function that it calls.
std::vector<std::string> notes_on_insides(const model::Model& model, model::NodeId node);

}  // namespace assay::locate
