// Lists every way to remove one node of a small model. The claim that no node can be removed is based on this list.
//
// A node is removed alone, and its outputs are supplied in each available way: as an input, as the value it had in
// the reference run, by one of the node's own inputs (a bypass), as an input with other sizes declared, or as an input
// of unknown rank. Nodes that can be bypassed only together are bypassed together, such as an Unsqueeze and a Squeeze.
// body_removals.h has the ways for nodes of bodies, function_removals.h those for nodes of local functions. Functions
// that nothing calls are removed as well: they are no nodes, but may be the failure.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "edit/changes/model_change.h"
#include "edit/node_places.h"
#include "reduce/search/body_removals.h"
#include "reduce/search/candidate_builder.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// From this number of nodes on, the search tries once whether the whole model fails with fixed sizes, too, and keeps
// them if so. With fewer nodes, each is removed with either kind of sizes.
inline constexpr std::size_t kFixedFrom = 3;

class Removals {
 public:
  // `model` fails. `values`: recorded values by tensor name; they must outlive this object. `constants`: how Constant
  // nodes of bodies and functions count. `keeps_values`: as in ReduceParts; there are no bypasses then, and no ways
  // for nodes of bodies and functions.
  Removals(SharedModel model, const CandidateBuilder::Options& options, const tensor::NamedTensors& values,
           edit::Subject::Constants constants, bool keeps_values);
  Removals(const Removals&) = delete;
  Removals& operator=(const Removals&) = delete;

  enum class Kind { removed, bypassed, supplied_otherwise, other_sizes, any_rank, inside, function };
  struct Way {
    Kind kind = Kind::removed;
    std::size_t node = 0;   // counts the nodes of the graph, of bodies, of local functions, then uncalled functions
    std::string what;       // for people: "without Conv 'conv_7'"
    bool is_empty = false;  // it leaves a model without nodes
  };
  [[nodiscard]] std::size_t size() const { return ways_.size(); }
  [[nodiscard]] const Way& way(std::size_t index) const { return ways_[index].way; }
  // Returns the candidate, or null if this way isn't available for its node.
  [[nodiscard]] const SharedModel& build(std::size_t index);

  // Returns the nodes that none of the ways could remove, each with the reason; complete once all ways were built.
  [[nodiscard]] std::vector<std::string> untried() const;

 private:
  using Make = std::function<SharedModel()>;
  struct Listed {
    Way way;
    Make make;
    std::optional<SharedModel> built;  // nothing before the first call of build()
  };
  struct Node {
    std::string what;
    // Why there may be no way; empty if removing the node alone would change nothing, or if it counts as a value.
    std::string reason;
    bool tried = false;
  };

  void add(Kind kind, std::size_t node, std::string what, Make make);
  void add_outer_ways(bool keeps_values);
  void add_all_bypasses(const std::vector<edit::NodePlace>& places, const std::vector<edit::NodeRef>& refs);
  void add_bypasses(const std::vector<edit::ModelChange>& changes, const std::vector<edit::NodeRef>& refs);
  void add_inner_ways(std::vector<InnerNode> nodes, std::vector<InnerRemoval> ways);
  void add_inner_nodes(std::vector<InnerNode> nodes, const char* reason);
  void add_uncalled_functions();
  void add_empty();
  SharedModel without(edit::NodeId node, const Supplied& supplied);
  SharedModel with_swapped_supply(edit::NodeId node);
  [[nodiscard]] SharedModel with_inferred_sizes(const SharedModel& fixed) const;
  [[nodiscard]] edit::Selection all_but(edit::NodeId node) const;
  void add_further_bypasses(std::size_t node, const edit::NodePlace& place,
                            const std::vector<edit::ModelChange>& listed);
  void add_joint_bypasses();

  SharedModel model_;
  CutValues values_mode_;
  const tensor::NamedTensors& values_;
  edit::Subject::Constants constants_;
  CandidateBuilder builder_;
  edit::ValueInfos known_;
  std::vector<Node> nodes_;
  std::vector<Listed> ways_;
};

}  // namespace assay::reduce
