// Connected sets of nodes, which the searches try.
//
// All sets are ascending lists of Subject::nodes(), the order of the file. "Within" a set means that paths never leave
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "edit/selection.h"
#include "edit/subject.h"

namespace assay::reduce {

using Nodes = std::vector<edit::NodeId>;

// Returns a selection of these nodes. Its outputs are first those of the model that the nodes produce, in the model's
// order, then the tensors that they produce and that only other nodes of the model read. So every node is needed, and
// no tensor becomes an output that an engine would otherwise fuse away. For all nodes of the model, returns the model's
// own outputs. If an output is a sequence, an optional or a map, checks usually compare nothing of it. So the tensors
// that the nodes produce and put into it become outputs, too: without them, a set would pass although it has the
// culprit.
edit::Selection select(const edit::Subject& subject, Nodes nodes);

// Returns the distance of each node of `within` to the nearest of `seeds`, or -1 if there is no path, in the order of
// `within`. Seeds in `within` have distance 0. `against` follows edges only from consumers to producers; `any` follows
// them both ways, and also connects nodes that read the same varying tensor.
enum class Direction { against, any };
std::vector<int> distances(const edit::Subject& subject, const Nodes& within, const Nodes& seeds, Direction direction);

// Returns the length of the longest path from each node of `within` to a seed, along edges from producers to consumers,
// in the order of `within`. A seed from which no other seed can be reached has depth 0. The depth is -1 if there is no
// path or the node can't be ordered because of a cycle. Every node on a path to a seed is nearer to it than the path's
// start, so the set of all nodes up to some depth has no holes.
std::vector<int> depths(const edit::Subject& subject, const Nodes& within, const Nodes& seeds);

// Returns count_in_each() for `nodes`, in their order.
std::vector<std::int64_t> node_counts(const edit::Subject& subject, const Nodes& nodes);

// Returns the nodes of `from` that aren't in `without`. Both are ascending.
Nodes minus(const Nodes& from, const Nodes& without);

}  // namespace assay::reduce
