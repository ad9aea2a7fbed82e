#include "reduce/passes/shorten_path.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/at.h"
#include "model/graph_view.h"
#include "model/model.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/bridge_tensors.h"

namespace assay::reduce {
namespace {

using base::at;
using Segments = std::vector<PathSegment>;

// Builds the change that replaces segments of one model.
class Shortening {
 public:
  Shortening(const model::Model& model, const edit::ValueInfos& known)
      : graph_(model.graph()),
        known_(known),
        view_(graph_),
        names_(graph_),
        opset_(model::default_opset(model.proto)),
        removed_(at(graph_.node_size()), false) {}

  // Replaces the adjacent segments from `begin` to before `end` by one bridge. Returns false if no bridge exists.
  bool replace(Segments::const_iterator begin, Segments::const_iterator end) {
    const std::string& from = begin->from;
    const std::string& to = std::prev(end)->to;
    const auto before = type_of(graph_, from, known_);
    const auto after = type_of(graph_, to, known_);
    if (!before || !after) return false;
    onnx::ValueInfoProto source = *before;
    onnx::ValueInfoProto target = *after;
    source.set_name(from);
    target.set_name(to);
    auto bridge = bridge_tensors(source, target, opset_, names_);
    if (!bridge) return false;
    still_read_.push_back(view_.find(from));
    std::for_each(begin, end, [&](const PathSegment& segment) {
      for (const model::NodeId node : segment.nodes) removed_[at(node)] = true;
    });
    const model::NodeId producer = view_.producer(view_.find(to));
    std::for_each(begin, end, [&](const PathSegment& segment) {
      for (const model::NodeId node : segment.nodes) {
        if (node != producer) change_.primitives.emplace_back(edit::RemoveNode{reference(node)});
      }
    });
    if (bridge->nodes.empty()) {
      change_.primitives.emplace_back(edit::RenameUses{{}, to, from});
      change_.primitives.emplace_back(edit::RemoveNode{reference(producer)});
      return true;
    }
    for (onnx::TensorProto& constant : bridge->constants) {
      change_.primitives.emplace_back(edit::SetInitializer{{}, std::move(constant)});
    }
    change_.primitives.emplace_back(edit::ReplaceNode{reference(producer), std::move(bridge->nodes)});
    return true;
  }

  // Returns the change. It also removes the nodes that only the replaced segments needed.
  edit::ModelChange finish() && {
    for (const model::NodeId node : needed_only_by(view_, removed_, still_read_)) {
      change_.primitives.emplace_back(edit::RemoveNode{reference(node)});
    }
    return std::move(change_);
  }

 private:
  [[nodiscard]] edit::NodeRef reference(model::NodeId node) const {
    return reference_to({{}, &graph_}, graph_.node(node));
  }

  const onnx::GraphProto& graph_;
  const edit::ValueInfos& known_;
  model::GraphView view_;
  FreshNames names_;
  int opset_;
  std::vector<bool> removed_;
  std::vector<model::TensorId> still_read_;  // where bridges begin
  edit::ModelChange change_;
};

}  // namespace

std::optional<edit::ModelChange> shorten(const model::Model& model, const edit::ValueInfos& known,
                                         const std::vector<PathSegment>& segments, const std::vector<bool>& removed) {
  Shortening shortening(model, known);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!removed[i]) continue;
    std::size_t end = i;
    while (end < segments.size() && removed[end]) ++end;
    const auto place = [&](std::size_t number) { return segments.begin() + static_cast<std::ptrdiff_t>(number); };
    if (!shortening.replace(place(i), place(end))) return std::nullopt;
    i = end;
  }
  return std::move(shortening).finish();
}

}  // namespace assay::reduce
