// What to say when a tensor that a user names is not there.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/graph_view.h"

namespace assay::surgeon {

// The tensors of a graph whose names are most like `name`, the most similar first.
std::vector<std::string> similar_names(const model::GraphView& view, const std::string& name, std::size_t most = 5);

// Error (not_found) naming tensors with similar names; `option` is where the name was given.
base::Error no_such_tensor(const model::GraphView& view, const std::string& name, const std::string& option);

}  // namespace assay::surgeon
