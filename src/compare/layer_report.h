// The table of layers, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "compare/layer_table.h"
#include "tensor/json_writer.h"

namespace assay::compare {

// Which layers a table for people shows.
enum class LayerRows {
  none,
  born,  // where the most of the errors arises, ten at most, the worst first; none where all agree
  all,   // in topological order
};

// What a person wants to know first: how many layers differ, which is the first and whether its error is born there,
// and what to do next (`next`; may be empty). Then the table.
std::string describe_layers(const LayerPair& pair, LayerRows rows, const std::string& next);

// A member "layers" of an object: a list with one object a pair of runners. Errors that are no finite number are null.
void write_layers(tensor::JsonWriter& json, const std::vector<LayerPair>& pairs);

}  // namespace assay::compare
