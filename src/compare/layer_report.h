// Formats the table of layers, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "compare/layer_table.h"
#include "tensor/json_writer.h"

namespace assay::compare {

// The layers that a table for people shows.
enum class LayerRows {
  none,
  born,  // at most ten layers: those at which errors are born, then those at which they grow most; none if all agree
  all,   // in topological order
};

// Formats a summary and the table. The summary says how many layers differ, which one is the first, whether its error
// is born there, and what to do next (`next`; may be empty).
std::string describe_layers(const LayerPair& pair, LayerRows rows, const std::string& next);

// Writes a member "layers" of an object: a list with one object for each pair of runners. Errors that aren't finite are
// written as null.
void write_layers(tensor::JsonWriter& json, const std::vector<LayerPair>& pairs);

}  // namespace assay::compare
