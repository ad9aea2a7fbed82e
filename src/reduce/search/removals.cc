// The ways are listed kind by kind, the most promising kind first. Candidates are built on demand and cached, since
// looking ahead asks for them several times.
#include "reduce/search/removals.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "edit/changes/known_value_infos.h"
#include "edit/changes/remove_detail.h"
#include "edit/changes/uncalled_functions.h"
#include "edit/node_places.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/explore/node_sets.h"
#include "reduce/passes/node_passes.h"
#include "reduce/passes/shorten_path.h"
#include "reduce/search/function_removals.h"
#include "reduce/search/joint_chains.h"
#include "reduce/search/loose_bypass.h"
#include "reduce/search/single_change.h"

namespace assay::reduce {
namespace {

CandidateBuilder::Options for_single_nodes(CandidateBuilder::Options options) {
  options.unknown_rank = UnknownRank::refuse;
  return options;
}

constexpr const char* kLittleKnown = "too little is known of its output";
constexpr const char* kInFunctionBody =
    "nodes of bodies in local functions can be removed only if the function can be inlined";
constexpr const char* kChangesValues = "the values of other tensors would change, which the check knows";
constexpr const char* kReturned = "the body returns its output, and nothing of that type could take its place";

}  // namespace

Removals::Removals(SharedModel model, const CandidateBuilder::Options& options, const tensor::NamedTensors& values,
                   edit::Subject::Constants constants, bool keeps_values)
    : model_(std::move(model)),
      values_mode_(options.values),
      values_(values),
      constants_(constants),
      builder_(model_, edit::Subject::Constants::as_nodes, for_single_nodes(options)),
      known_(edit::known_value_infos(*model_)) {
  if (builder_.subject().nodes().size() == 1) {
    add_empty();
  } else {
    add_outer_ways(keeps_values);
  }
  if (keeps_values) {
    add_inner_nodes(body_nodes(*model_), kChangesValues);
    add_inner_nodes(function_nodes(*model_), kChangesValues);
  } else {
    add_inner_ways(body_nodes(*model_), body_removals(model_, known_, values_));
    add_inner_ways(function_nodes(*model_), function_removals(model_, known_));
  }
  add_uncalled_functions();
}

void Removals::add(Kind kind, std::size_t node, std::string what, Make make) {
  ways_.push_back({.way = {.kind = kind, .node = node, .what = std::move(what)}, .make = std::move(make), .built = {}});
}

const SharedModel& Removals::build(std::size_t index) {
  auto& [way, make, candidate] = ways_[index];
  if (!candidate) {
    Node& node = nodes_[way.node];
    SharedModel built = make();
    // If an Identity has taken the node's place, since a body must compute its outputs itself, no node was removed.
    const bool is_inside = built && way.kind == Kind::inside;
    if (is_inside && count_all_nodes(*built, constants_) >= count_all_nodes(*model_, constants_)) {
      if (!node.reason.empty()) node.reason = kReturned;
      built = nullptr;
    }
    node.tried |= built != nullptr;
    candidate = std::move(built);
  }
  return *candidate;
}

std::vector<std::string> Removals::untried() const {
  std::vector<std::string> result;
  for (const Node& node : nodes_) {
    if (!node.tried && !node.reason.empty()) result.push_back(node.what + ": " + node.reason);
  }
  return result;
}

edit::Selection Removals::all_but(edit::NodeId node) const {
  Nodes nodes(builder_.subject().nodes().begin(), builder_.subject().nodes().end());
  std::erase(nodes, node);
  return select(builder_.subject(), std::move(nodes));
}

SharedModel Removals::without(edit::NodeId node, const Supplied& supplied) {
  auto built = builder_.build(all_but(node), supplied);
  return built ? *std::move(built) : nullptr;
}

// Tensors that would become inputs are frozen as constants, and vice versa.
SharedModel Removals::with_swapped_supply(edit::NodeId node) {
  const edit::Selection selection = all_but(node);
  const std::vector<edit::TensorId> cut = builder_.cut_tensors(selection);
  const auto made = builder_.subject().view().outputs(node);
  Supplied supplied;
  for (const edit::TensorId id : edit::boundary(builder_.subject(), selection)) {
    if (std::ranges::find(made, id) == made.end()) continue;
    (std::ranges::find(cut, id) != cut.end() ? supplied.frozen : supplied.inputs).push_back(id);
  }
  std::erase_if(supplied.frozen, [&](edit::TensorId id) { return is_large(builder_.facts().find(id)); });
  if (supplied.frozen.empty() && supplied.inputs.empty()) return nullptr;
  return without(node, supplied);
}

// New inputs normally get the fixed sizes of the reference run, even if ONNX can't infer these because they depend on
// values. Here they are declared as ONNX infers them instead.
SharedModel Removals::with_inferred_sizes(const SharedModel& fixed) const {
  if (!fixed) return nullptr;
  std::shared_ptr<model::Model> result;
  for (const onnx::ValueInfoProto& input : fixed->graph().input()) {
    const onnx::ValueInfoProto* inferred = edit::find_known(known_, input.name());
    const edit::TensorId id = builder_.subject().view().find(input.name());
    if (inferred == nullptr || builder_.subject().view().is_graph_input(id)) continue;
    if (has_fixed_sizes(*inferred) || !has_fixed_sizes(input) || !same_type_and_rank(*inferred, input)) continue;
    if (!result) result = std::make_shared<model::Model>(*fixed);
    *std::ranges::find(*result->graph().mutable_input(), input.name(), &onnx::ValueInfoProto::name) = *inferred;
  }
  return result;
}

void Removals::add_outer_ways(bool keeps_values) {
  const edit::Subject& subject = builder_.subject();
  std::vector<edit::NodeRef> refs;
  const std::vector<edit::NodePlace> places = edit::outer_node_places(model_->graph());
  for (const edit::NodeId node : subject.nodes()) {
    nodes_.push_back(
        {.what = model::describe_node(subject.view().node(node), node), .reason = kLittleKnown, .tried = false});
    const auto at = std::ranges::find(places, &subject.view().node(node), &edit::NodePlace::node);
    refs.push_back(at != places.end() ? at->ref : edit::NodeRef{});
  }
  // These ways come first, so way i is the candidate without node i.
  const auto for_each = [&](Kind kind, const std::string& how, const auto& make) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      add(kind, i, "without " + nodes_[i].what + how, [make, i, node = subject.nodes()[i]] { return make(node, i); });
    }
  };
  for_each(Kind::removed, "", [this](edit::NodeId node, std::size_t) { return without(node, {}); });
  if (!keeps_values) add_all_bypasses(places, refs);
  if (values_mode_ == CutValues::automatic) {
    for_each(Kind::supplied_otherwise, ", with its outputs supplied in the other way",
             [this](edit::NodeId node, std::size_t) { return with_swapped_supply(node); });
  }
  if (all_input_sizes_known(*model_)) {
    for_each(Kind::other_sizes, ", with inferred sizes",
             [this](edit::NodeId, std::size_t i) { return with_inferred_sizes(build(i)); });
  } else if (builder_.reference() && nodes_.size() < kFixedFrom) {
    for_each(Kind::other_sizes, ", with fixed sizes",
             [this](edit::NodeId node, std::size_t) { return without(node, {.fixed_shapes = true}); });
  }
  for_each(Kind::any_rank, ", of unknown rank", [this](edit::NodeId node, std::size_t i) -> SharedModel {
    if (build(i)) return nullptr;
    return without(node, {.rank = UnknownRank::accept});
  });
}

void Removals::add_all_bypasses(const std::vector<edit::NodePlace>& places, const std::vector<edit::NodeRef>& refs) {
  const std::vector<edit::ModelChange> changes = bypass_nodes({.model = *model_, .known = known_, .values = values_});
  add_bypasses(changes, refs);
  for (const edit::NodePlace& place : places) {
    const auto at = std::ranges::find(refs, place.ref);
    if (at == refs.end()) continue;
    const auto node = static_cast<std::size_t>(at - refs.begin());
    add_further_bypasses(node, place, changes);
    add(Kind::bypassed, node, nodes_[node].what + " bypassed, which changes sizes",
        [this, place] { return bypass_loosely(*model_, known_, place); });
  }
  add_joint_bypasses();
}

void Removals::add_bypasses(const std::vector<edit::ModelChange>& changes, const std::vector<edit::NodeRef>& refs) {
  for (const edit::ModelChange& change : changes) {
    const auto node = position_of_removed(change, refs);
    if (node) add(Kind::bypassed, *node, change.what, [this, change] { return apply_alone(*model_, change, known_); });
  }
}

// Tries every input of the same type: the pass uses only one of them.
void Removals::add_further_bypasses(std::size_t node, const edit::NodePlace& place,
                                    const std::vector<edit::ModelChange>& listed) {
  const auto& inputs = place.node->input();
  if (place.node->output_size() != 1 || place.node->output(0).empty()) return;
  const std::string& output = place.node->output(0);
  for (auto input = inputs.begin(); input != inputs.end(); ++input) {
    const bool is_repeated = std::find(inputs.begin(), input, *input) != input;
    const bool is_listed = std::ranges::any_of(listed, [&](const edit::ModelChange& change) {
      const auto* uses = std::get_if<edit::RenameUses>(&change.primitives.front());
      return uses != nullptr && uses->from == output && uses->to == *input;
    });
    if (is_repeated || is_listed || *input == output || !same_type(*input, output, known_)) continue;
    const edit::ModelChange change{{}, {edit::RenameUses{{}, output, *input}, edit::RemoveNode{place.ref}}};
    add(Kind::bypassed, node, nodes_[node].what + " bypassed: '" + *input + "' in place of '" + output + "'",
        [this, change] { return apply_alone(*model_, change, known_); });
  }
}

void Removals::add_joint_bypasses() {
  for (const JointChain& chain : joint_chains(builder_.subject(), known_)) {
    const PathSegment& segment = chain.segment;
    add(Kind::bypassed, chain.first, "the nodes between '" + segment.from + "' and '" + segment.to + "' bypassed",
        [this, segment]() -> SharedModel {
          const auto change = shorten(*model_, known_, {segment}, {true});
          return change ? apply_alone(*model_, *change, known_) : nullptr;
        });
  }
}

// The node's outputs become both inputs and outputs of the model. They are never frozen, even if the node reads only
// constants: a constant that is infinite, for example, would show what the node computed.
void Removals::add_empty() {
  const edit::NodeId node = builder_.subject().nodes().front();
  nodes_.push_back(
      {.what = model::describe_node(builder_.subject().view().node(node), node), .reason = {}, .tried = false});
  const auto make = [this] {
    edit::Selection selection;
    for (const onnx::ValueInfoProto& output : model_->graph().output()) {
      selection.outputs.push_back(builder_.subject().view().find(output.name()));
    }
    auto built = builder_.build(selection, {.inputs = selection.outputs, .rank = UnknownRank::accept});
    return built ? *std::move(built) : nullptr;
  };
  add(Kind::removed, 0, "without its only node", make);
  ways_.back().way.is_empty = true;
}

void Removals::add_inner_nodes(std::vector<InnerNode> nodes, const char* reason) {
  for (InnerNode& node : nodes) {
    const bool is_value = node.can_be_value && constants_ == edit::Subject::Constants::as_values;
    const char* why = node.in_function_body ? kInFunctionBody : node.has_to_stay || is_value ? "" : reason;
    nodes_.push_back({.what = std::move(node.what), .reason = why, .tried = false});
  }
}

void Removals::add_inner_ways(std::vector<InnerNode> nodes, std::vector<InnerRemoval> ways) {
  const std::size_t first = nodes_.size();
  add_inner_nodes(std::move(nodes), kLittleKnown);
  for (InnerRemoval& way : ways) {
    add(Kind::inside, first + way.node, std::move(way.what), std::move(way.make));
  }
}

// All of them together come first: models that were cut from a larger one often have many.
void Removals::add_uncalled_functions() {
  const std::vector<const onnx::FunctionProto*> uncalled = edit::uncalled_functions(model_->proto);
  const auto& functions = model_->proto.functions();
  if (uncalled.size() > 1) {
    add(Kind::function, nodes_.size(), "without the local functions that nothing calls", [this]() -> SharedModel {
      auto result = std::make_shared<model::Model>(*model_);
      edit::remove_detail(result->proto, edit::Detail::unused_functions);
      return result;
    });
  }
  for (int i = 0; i < functions.size(); ++i) {
    if (std::ranges::find(uncalled, &functions.Get(i)) == uncalled.end()) continue;
    const std::string what = "the local function '" + functions.Get(i).name() + "' that nothing calls";
    add(Kind::function, nodes_.size(), "without " + what, [this, i]() -> SharedModel {
      auto result = std::make_shared<model::Model>(*model_);
      result->proto.mutable_functions()->DeleteSubrange(i, 1);
      return result;
    });
    nodes_.push_back({.what = what, .reason = {}, .tried = false});
  }
}

}  // namespace assay::reduce
