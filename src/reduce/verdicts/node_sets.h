// Sets of nodes that hang together: what the searches try.
//
// All sets are ascending lists of Subject::nodes(), the order of the file. "Within" a set means: paths leave it
// nowhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "edit/selection.h"
#include "edit/subject.h"

namespace assay::reduce {

using Nodes = std::vector<edit::NodeId>;

// A selection of these nodes. Its outputs: those of the model that the nodes make, in the model's order, then what
// they make and somebody reads in the model, but none of them. So every node is needed, and no tensor becomes an output
// that an engine would else fuse away. All nodes of the model: the model's own outputs.
edit::Selection select(const edit::Subject& subject, Nodes nodes);

// The distance of each node of `within` from the nearest of `seeds` (which are in it, at 0), -1 where there is no way.
// against: edges from consumers to producers only; any: both ways, and between nodes that read the same tensor which
// varies. In the order of `within`.
enum class Direction { against, any };
std::vector<int> distances(const edit::Subject& subject, const Nodes& within, const Nodes& seeds, Direction direction);

// The number of steps on the longest way from each node of `within` to a seed, along edges from producers to consumers;
// a seed counts as 0 where no other seed lies behind it. -1: no way, or one in a circle. In the order of `within`.
// Whatever lies on a way from a node to a seed is nearer to it: sets up to a depth have no holes.
std::vector<int> depths(const edit::Subject& subject, const Nodes& within, const Nodes& seeds);

// How many nodes each of these stands for: 1, and those in its bodies (count_nodes.h). In the order of `nodes`.
std::vector<std::int64_t> node_counts(const edit::Subject& subject, const Nodes& nodes);

// The nodes of `from` without those of `without`. Both ascending.
Nodes minus(const Nodes& from, const Nodes& without);

}  // namespace assay::reduce
