// Replaces segments of a path by the cheapest nodes that keep type and shape, or by nothing.
#pragma once

#include <optional>
#include <vector>

#include "edit/changes/model_change.h"
#include "model/model.h"
#include "reduce/passes/path_segments.h"

namespace assay::reduce {

// Returns the change that replaces the segments for which `removed` is true; one bridge replaces adjacent ones. Returns
// nothing if one of them has no bridge. `segments` are those of the model's graph, and `known` has the types of its
// tensors.
std::optional<edit::ModelChange> shorten(const model::Model& model, const edit::ValueInfos& known,
                                         const std::vector<PathSegment>& segments, const std::vector<bool>& removed);

}  // namespace assay::reduce
