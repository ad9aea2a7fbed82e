// The rows of the answer: what a search has seen, by tensors and the nodes that make them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "locate/engine_probe.h"
#include "locate/locate.h"
#include "locate/skeleton.h"
#include "model/model.h"

namespace assay::locate {

// The model that is named in the answer, and its tensors that are compared.
struct NamedModel {
  const model::Model& model;
  const Skeleton& skeleton;
};

Layer layer_of(const NamedModel& named, const std::string& tensor, const SeenTensor& seen);

struct SeenLayers {
  std::vector<Layer> layers;  // that were compared in the whole model, in topological order
  std::string first_seen;     // of those before `first` one that differs there, but not by itself; or empty
};
SeenLayers layers_of(const NamedModel& named, const EngineProbe& probe, CellId first);

// Of the results of a cell the one that differs most, by the best that is known of it: alone, in a piece, in the model.
struct NamedTensor {
  Layer layer;
  std::optional<Judgement> in_piece;
};
NamedTensor tensor_of(const NamedModel& named, const EngineProbe& probe, CellId cell);

// Ties the weights with values beyond float16 to the layers whose nodes read them.
void name_weights(const LocateInput& input, Location& location);

// A note on a model whose outputs agree, in which no difference is born at a node.
std::string describe_insides(const std::vector<Reading>& readings);

// What cannot be seen from outside that node: its bodies, or the function that it calls.
std::vector<std::string> notes_on_insides(const model::Model& model, model::NodeId node);

}  // namespace assay::locate
