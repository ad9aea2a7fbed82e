// Suggests names if a user names a tensor that doesn't exist.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/graph_view.h"

namespace assay::surgeon {

// Returns at most `most` tensors of a graph whose names resemble `name`, the most similar first.
std::vector<std::string> similar_names(const model::GraphView& view, const std::string& name, std::size_t most = 5);

// Returns a not_found error that suggests tensors with similar names; `option` is the option that named the tensor.
base::Error no_such_tensor(const model::GraphView& view, const std::string& name, const std::string& option);

}  // namespace assay::surgeon
