#include <fmt/format.h>

#include <utility>

#include "model/graph_view.h"
#include "reduce/passes/node_passes.h"
#include "reduce/passes/shorten_path.h"

namespace assay::reduce {

std::vector<edit::ModelChange> bypass_segments(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  const std::vector<PathSegment> segments = path_segments(model::GraphView(input.model.graph()));
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::vector<bool> removed(segments.size(), false);
    removed[i] = true;
    std::optional<edit::ModelChange> change = shorten(input.model, input.known, segments, removed);
    if (!change) continue;
    change->what = fmt::format("the path from '{}' to '{}' shortened", segments[i].from, segments[i].to);
    changes.push_back(*std::move(change));
  }
  return changes;
}

}  // namespace assay::reduce
