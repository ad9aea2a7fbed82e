#include "locate/sides/part_builder.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "edit/build_candidate.h"
#include "edit/mark_outputs.h"
#include "edit/selection.h"
#include "model/dependencies.h"
#include "model/shapes.h"

namespace assay::locate {
namespace {

using edit::Subject;
using model::kNone;
using model::NodeId;
using model::TensorId;
using Names = std::vector<std::string>;

// Returns the nodes that compute the wanted tensors, of which none is given, back to tensors for which `is_given`
// holds.
template <class IsGiven>
std::vector<NodeId> makers(const Subject& subject, const std::vector<TensorId>& wanted, const IsGiven& is_given) {
  const std::vector<bool> needed = model::needed_nodes(subject.view(), wanted, is_given);
  std::vector<NodeId> nodes;
  std::ranges::copy_if(subject.nodes(), std::back_inserter(nodes),
                       [&](NodeId node) { return needed[static_cast<std::size_t>(node)]; });
  return nodes;
}

std::vector<TensorId> ids(const model::GraphView& view, const Names& names) {
  std::vector<TensorId> found;
  for (const std::string& name : names) found.push_back(view.find(name));
  return found;
}

Names boundary_names(const Subject& subject, const edit::Selection& selection) {
  Names names;
  for (const TensorId id : edit::boundary(subject, selection)) names.emplace_back(subject.view().name(id));
  return names;
}

Part build(const Subject& subject, const edit::CandidateFacts& facts, edit::Selection selection,
           const tensor::NamedTensors& frozen, const Names& outputs) {
  const Names reads = boundary_names(subject, selection);
  for (const std::string& name : reads) {
    if (const tensor::Tensor* value = frozen.find(name)) selection.frozen[subject.view().find(name)] = *value;
  }
  selection.fixed_shapes = true;
  Part part;
  part.model = edit::build_candidate(subject, selection, facts);
  part.model.data_folder = subject.model().data_folder;
  part.nodes = static_cast<int>(selection.nodes.size());
  part.outputs = outputs;
  part.is_piece = true;
  for (const std::string& name : reads) {
    if (!frozen.contains(name)) part.inputs.push_back(name);
  }
  return part;
}

}  // namespace

struct PartBuilder::Exploded {
  explicit Exploded(model::Model changed)
      : model(std::move(changed)), subject(model, Subject::Constants::as_nodes), facts(edit::TensorFacts(subject)) {}
  model::Model model;
  edit::Subject subject;
  edit::CandidateFacts facts;
};

PartBuilder::PartBuilder(const model::Model& model, const Skeleton& skeleton)
    : skeleton_(skeleton),
      model_(model),
      subject_(model_, Subject::Constants::as_nodes),
      // What inference doesn't find is learned from runs. A model on which inference fails must be debuggable too.
      facts_(edit::TensorFacts(subject_, edit::TensorFacts::Inference::onnx)) {
  for (TensorId id = 0; id < view().tensor_count(); ++id) {
    const onnx::ValueInfoProto* known = facts_.find(id);
    types_.push_back(known == nullptr ? tensor::ElementType::undefined : model::tensor_info(*known).type);
  }
}

PartBuilder::~PartBuilder() = default;

void PartBuilder::learn(const tensor::NamedTensors& seen) {
  for (const auto& [name, value] : seen) {
    const TensorId id = view().find(name);
    if (id == kNone) continue;
    const tensor::ElementType told = types_[static_cast<std::size_t>(id)];
    const tensor::ElementType type = told == tensor::ElementType::undefined ? value.type() : told;
    facts_.see({id, type, value.shape()});
    const TensorId there = exploded_ != nullptr ? exploded_->subject.view().find(name) : kNone;
    if (there != kNone) exploded_->facts.see({there, type, value.shape()});
  }
}

tensor::ElementType PartBuilder::type(const std::string& name) const {
  const TensorId id = view().find(name);
  const onnx::ValueInfoProto* known = id == kNone ? nullptr : facts_.find(id);
  return known == nullptr ? tensor::ElementType::undefined : model::tensor_info(*known).type;
}

void PartBuilder::declare_types(onnx::GraphProto& graph) const {
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    const TensorId id = view().find(output.name());
    if (id == kNone || model::tensor_info(output).type != tensor::ElementType::undefined) continue;
    const tensor::ElementType told = types_[static_cast<std::size_t>(id)];
    if (told == tensor::ElementType::undefined) continue;
    output.mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(told));
  }
}

base::Expected<Part> PartBuilder::whole(const Names& marked) const {
  Part part{.model = model_, .inputs = {}, .outputs = skeleton_.outputs, .nodes = view().node_count()};
  std::unordered_set<std::string_view> compared(skeleton_.outputs.begin(), skeleton_.outputs.end());
  std::ranges::copy_if(marked, std::back_inserter(part.outputs),
                       [&](const std::string& name) { return compared.insert(name).second; });
  // Outputs that can't be compared stay, so that the model changes as little as possible for the engine.
  Names all;
  for (const auto& output : model_.graph().output()) all.push_back(output.name());
  std::unordered_set<std::string> known(all.begin(), all.end());
  std::ranges::copy_if(part.outputs, std::back_inserter(all),
                       [&](const std::string& name) { return known.insert(name).second; });
  ASSAY_TRY(edit::set_outputs(part.model, all));
  declare_types(part.model.graph());
  for (const auto& input : model_.graph().input()) {
    if (view().is_graph_input(view().find(input.name()))) part.inputs.push_back(input.name());
  }
  return part;
}

Names PartBuilder::leaving(const Names& made, const std::set<std::string, std::less<>>& given) const {
  std::vector<bool> inside(static_cast<std::size_t>(view().node_count()), false);
  const auto is_given = [&](TensorId id) { return given.contains(view().name(id)); };
  for (const NodeId node : makers(subject_, ids(view(), made), is_given)) inside[static_cast<std::size_t>(node)] = true;
  Names names;
  for (const std::string& name : made) {
    const TensorId id = view().find(name);
    const bool read = std::ranges::any_of(view().consumers(id), [&](NodeId consumer) {
      const auto node = static_cast<std::size_t>(consumer);
      return skeleton_.needed[node] && !inside[node];
    });
    if (read || view().is_graph_output(id)) names.push_back(name);
  }
  return names;
}

Part PartBuilder::piece(const Names& wanted, const std::set<std::string, std::less<>>& given,
                        const tensor::NamedTensors& frozen) const {
  edit::Selection selection;
  selection.outputs = ids(view(), wanted);
  selection.nodes = makers(subject_, selection.outputs, [&](TensorId id) { return given.contains(view().name(id)); });
  return build(subject_, facts_, std::move(selection), frozen, wanted);
}

Names PartBuilder::reads(const Names& wanted, const std::set<std::string, std::less<>>& given) const {
  edit::Selection selection;
  selection.outputs = ids(view(), wanted);
  selection.nodes = makers(subject_, selection.outputs, [&](TensorId id) { return given.contains(view().name(id)); });
  return boundary_names(subject_, selection);
}

PartBuilder::Exploded& PartBuilder::exploded() {
  if (exploded_ != nullptr) return *exploded_;
  model::Model changed = model_;
  changed.graph().clear_output();
  for (onnx::NodeProto& node : *changed.graph().mutable_node()) {
    for (std::string& output : *node.mutable_output()) {
      if (!skeleton_.cell_of.contains(output)) continue;
      const onnx::ValueInfoProto* described = facts_.find_static(view().find(output));
      onnx::ValueInfoProto& input = *changed.graph().add_input();
      if (described != nullptr) input = *described;
      input.set_name(output);
      const tensor::ElementType known = type(output);
      output = name_alone(output);
      if (known == tensor::ElementType::undefined) continue;
      onnx::ValueInfoProto& result = *changed.graph().add_value_info();
      result.set_name(output);
      result.mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(known));
    }
  }
  exploded_ = std::make_unique<Exploded>(std::move(changed));
  return *exploded_;
}

namespace {

Names names_alone(const Names& wanted) {
  Names names;
  for (const std::string& name : wanted) names.push_back(PartBuilder::name_alone(name));
  return names;
}

edit::Selection select_alone(const Subject& subject, const Names& wanted) {
  edit::Selection selection;
  selection.outputs = ids(subject.view(), names_alone(wanted));
  selection.nodes = makers(subject, selection.outputs, [](TensorId) { return false; });
  return selection;
}

}  // namespace

Part PartBuilder::each_alone(const Names& wanted, const tensor::NamedTensors& frozen) {
  Exploded& all = exploded();
  return build(all.subject, all.facts, select_alone(all.subject, wanted), frozen, names_alone(wanted));
}

Names PartBuilder::reads_alone(const Names& wanted) {
  Exploded& all = exploded();
  return boundary_names(all.subject, select_alone(all.subject, wanted));
}

}  // namespace assay::locate
