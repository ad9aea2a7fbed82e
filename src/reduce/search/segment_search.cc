#include "reduce/search/segment_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/counted.h"
#include "edit/known_values.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/node_passes.h"
#include "reduce/search/bridge_tensors.h"

namespace assay::reduce {
namespace {

using Segments = std::vector<PathSegment>;

constexpr std::size_t kFewestSegments = 2;
constexpr double kFewNeeded = 2;
constexpr double kMostNeeded = 0.3;

std::size_t at(std::int32_t id) {
  return static_cast<std::size_t>(id);
}

// Builds the change that replaces segments of one model.
class Shortening {
 public:
  Shortening(const model::Model& model, const edit::KnownValues& known)
      : graph_(model.graph()),
        known_(known),
        view_(graph_),
        names_(graph_),
        opset_(model::default_opset(model.proto)),
        removed_(at(graph_.node_size()), false) {}

  // `begin` to `end`, which stand one behind the other, by a bridge. False if there is none.
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
    const model::NodeId maker = view_.producer(view_.find(to));
    std::for_each(begin, end, [&](const PathSegment& segment) {
      for (const model::NodeId node : segment.nodes) {
        if (node != maker) change_.primitives.emplace_back(edit::RemoveNode{reference(node)});
      }
    });
    if (bridge->nodes.empty()) {
      change_.primitives.emplace_back(edit::RenameUses{{}, to, from});
      change_.primitives.emplace_back(edit::RemoveNode{reference(maker)});
      return true;
    }
    for (onnx::TensorProto& constant : bridge->constants) {
      change_.primitives.emplace_back(edit::SetInitializer{{}, std::move(constant)});
    }
    edit::ReplaceNode replacement;
    replacement.node = reference(maker);
    replacement.with = std::move(bridge->nodes);
    change_.primitives.emplace_back(std::move(replacement));
    return true;
  }

  // With the nodes that nothing but the segments needed.
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
  const edit::KnownValues& known_;
  model::GraphView view_;
  FreshNames names_;
  int opset_;
  std::vector<bool> removed_;
  std::vector<model::TensorId> still_read_;  // where bridges begin
  edit::ModelChange change_;
};

DeltaDebugging begin(std::size_t count) {
  const double needed = std::min(kMostNeeded, kFewNeeded / static_cast<double>(count));
  DeltaDebugging search(std::vector<double>(count, needed));
  search.may_empty();
  search.all_first();
  return search;
}

// Each run of segments that go as a whole, `goes` telling which go; nothing if one of them has no bridge.
std::optional<edit::ModelChange> shorten(const SegmentSearch::Start& start, const std::vector<bool>& goes) {
  Shortening shortening(*start.model, start.known);
  const Segments& segments = start.segments;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!goes[i]) continue;
    std::size_t end = i;
    while (end < segments.size() && goes[end]) ++end;
    const auto place = [&](std::size_t number) { return segments.begin() + static_cast<std::ptrdiff_t>(number); };
    if (!shortening.replace(place(i), place(end))) return std::nullopt;
    i = end;
  }
  return std::move(shortening).finish();
}

}  // namespace

std::shared_ptr<const SegmentSearch::Start> SegmentSearch::look(std::shared_ptr<const model::Model> model,
                                                                const tensor::NamedTensors& values) {
  Segments segments = path_segments(model::GraphView(model->graph()));
  if (segments.size() < kFewestSegments) return nullptr;
  edit::KnownValues known = edit::known_values(*model, values);
  return std::make_shared<const Start>(
      Start{.model = std::move(model), .known = std::move(known), .segments = std::move(segments)});
}

SegmentSearch::SegmentSearch(std::shared_ptr<const Start> start)
    : start_(std::move(start)), search_(begin(start_->segments.size())), best_(start_->model) {}

// Null if that can't be built, or has no fewer nodes.
std::shared_ptr<const model::Model> SegmentSearch::build(const std::vector<int>& added) const {
  std::vector<bool> goes(start_->segments.size(), true);
  for (const int i : search_.left()) goes[static_cast<std::size_t>(i)] = false;
  for (const int i : added) goes[static_cast<std::size_t>(i)] = true;
  const auto change = shorten(*start_, goes);
  if (!change) return nullptr;
  edit::Applied applied = edit::apply(*start_->model, {&*change}, start_->known);
  if (applied.applied == 0 || applied.model.graph().node_size() >= best_->graph().node_size()) return nullptr;
  return std::make_shared<const model::Model>(std::move(applied.model));
}

// If no segment can go, that should be clear after about as many checks as halving them takes.
bool SegmentSearch::gives_up() const {
  return in_vain_ > static_cast<int>(std::bit_width(start_->segments.size()));
}

std::optional<Proposal> SegmentSearch::next() {
  while (!gives_up() && !search_.next().empty()) {
    const std::vector<int>& added = search_.next();
    if (!trial_) trial_ = build(added);
    if (!trial_) {
      search_.learn(false);
      continue;
    }
    const std::string& from = start_->segments[static_cast<std::size_t>(added.front())].from;
    const std::string& to = start_->segments[static_cast<std::size_t>(added.back())].to;
    return Proposal{
        .draft = trial_,
        .pass = "bypass-segments",
        .what = fmt::format("without {} between '{}' and '{}'", base::counted(std::ssize(added), "segment"), from, to),
        .chance_to_fail = search_.chance()};
  }
  return std::nullopt;
}

void SegmentSearch::learn(const Verdict& verdict) {
  if (!trial_) return;
  const bool fails = verdict.kind == Verdict::Kind::fails;
  if (fails) best_ = trial_;
  in_vain_ = fails ? 0 : in_vain_ + 1;
  search_.learn(fails);
  trial_.reset();
}

// As a pass proposes it: each segment by itself.
std::vector<edit::ModelChange> bypass_segments(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  const Segments segments = path_segments(model::GraphView(input.model.graph()));
  for (auto segment = segments.begin(); segment != segments.end(); ++segment) {
    Shortening shortening(input.model, input.known);
    if (!shortening.replace(segment, std::next(segment))) continue;
    edit::ModelChange change = std::move(shortening).finish();
    change.what = fmt::format("what makes '{}' of '{}' replaced", segment->to, segment->from);
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace assay::reduce
