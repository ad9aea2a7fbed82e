// Finds the shapes that a model's inputs get from the values they are fed, so that shapes behind them can be inferred.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/shapes.h"
#include "tensor/tensor.h"

namespace assay::model {

// Returns the shapes of the feeds, by name, as override_input_shapes() takes them. Leaves out feeds of inputs that
// aren't tensors, such as optional ones, whose types have no shape of their own, and feeds that aren't inputs.
std::map<std::string, std::vector<Dimension>> shapes_of_feeds(const Model& model, const tensor::NamedTensors& feeds);

}  // namespace assay::model
