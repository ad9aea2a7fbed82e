// Like ChangeSearch, but the changes aren't independent: adjacent segments that are removed together become one
// replacement (shorten()), so each trial builds a single change from all segments removed so far.
#include "reduce/search/segment_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/at.h"
#include "base/counted.h"
#include "edit/changes/known_value_infos.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/shorten_path.h"

namespace assay::reduce {
namespace {

using base::at;

using Segments = std::vector<PathSegment>;

constexpr std::size_t kFewestSegments = 2;
constexpr double kFewNeeded = 2;
constexpr double kMostNeeded = 0.3;
constexpr int kSkippedForEach = 8;  // candidates that can't be built, for each check in vain that is allowed

DeltaDebugging begin(std::size_t count) {
  const double needed = std::min(kMostNeeded, kFewNeeded / static_cast<double>(count));
  DeltaDebugging search(std::vector<double>(count, needed));
  search.allow_empty();
  search.all_first();
  return search;
}

// Joins segments at tensors of which too little is known for a bridge to begin or end there: custom operators compute
// them, for example, and sets of such segments could only be tried in vain.
Segments join_at_unknown(Segments segments, const model::Model& model, const edit::ValueInfos& known) {
  const auto is_known = [&](const std::string& tensor) {
    const auto type = type_of(model.graph(), tensor, known);
    return type && same_type(*type, *type);
  };
  Segments joined;
  bool ends_unknown = false;  // the last one of them
  for (PathSegment& segment : segments) {
    if (ends_unknown) {
      PathSegment& last = joined.back();
      last.to = std::move(segment.to);
      last.nodes.insert(last.nodes.end(), segment.nodes.begin(), segment.nodes.end());
      std::ranges::sort(last.nodes);
    } else if (is_known(segment.from)) {
      joined.push_back(std::move(segment));
    } else {
      continue;
    }
    ends_unknown = !is_known(joined.back().to);
  }
  if (ends_unknown) joined.pop_back();
  return joined;
}

}  // namespace

std::shared_ptr<const SegmentSearch::Start> SegmentSearch::prepare(SharedModel model,
                                                                   const tensor::NamedTensors& values) {
  Segments segments = path_segments(model::GraphView(model->graph()));
  if (segments.size() < kFewestSegments) return nullptr;
  edit::ValueInfos known = edit::known_value_infos(*model, values);
  segments = join_at_unknown(std::move(segments), *model, known);
  if (segments.size() < kFewestSegments) return nullptr;
  return std::make_shared<const Start>(
      Start{.model = std::move(model), .known = std::move(known), .segments = std::move(segments)});
}

SegmentSearch::SegmentSearch(std::shared_ptr<const Start> start)
    : start_(std::move(start)), search_(begin(start_->segments.size())), best_(start_->model) {}

// Returns null if the candidate can't be built, or has no fewer nodes than the best one.
SharedModel SegmentSearch::build() const {
  const auto change = shorten(*start_->model, start_->known, start_->segments, search_.removed_in_trial());
  if (!change) return nullptr;
  edit::Applied applied = edit::apply(*start_->model, {&*change}, start_->known);
  if (applied.applied == 0 || applied.model.graph().node_size() >= best_->graph().node_size()) return nullptr;
  return std::make_shared<const model::Model>(std::move(applied.model));
}

// If no segment can be removed, that should be clear after about as many checks as halving them takes. Candidates that
// can't be built need no check, but each takes time in proportion to the model.
bool SegmentSearch::gives_up() const {
  const auto halvings = static_cast<int>(std::bit_width(start_->segments.size()));
  return in_vain_ > halvings || skipped_ > kSkippedForEach * halvings;
}

std::optional<Proposal> SegmentSearch::next() {
  while (!gives_up() && !search_.next().empty()) {
    const std::vector<int>& added = search_.next();
    if (!trial_) trial_ = build();
    if (!trial_) {
      ++skipped_;
      search_.learn(false);
      continue;
    }
    const std::string& from = start_->segments[at(added.front())].from;
    const std::string& to = start_->segments[at(added.back())].to;
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
  if (fails) skipped_ = 0;
  search_.learn(fails);
  trial_.reset();
}

}  // namespace assay::reduce
