// One line before a check and one after it, so that a slow check is seen at work.
#include "reduce/search/trials.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "edit/build_candidate.h"

namespace assay::reduce {

void TrialCounts::add(const Verdict& verdict) {
  const bool now = verdict.source == Verdict::Source::check;
  ++(now ? checks : replayed);
  if (verdict.kind == Verdict::Kind::fails) ++(now ? failing : replayed_failing);
  if (verdict.kind == Verdict::Kind::unresolved) ++(now ? unresolved : replayed_unresolved);
  if (now) check_seconds += verdict.seconds;
}

Trials::Trials(const Parts& parts)
    : parts_(parts), constants_(parts.constants), all_nodes_(count_all_nodes(parts.subject.model(), parts.constants)) {}

void Trials::begin(std::string phase, int expected, std::size_t start) {
  phase_ = std::move(phase);
  expected_ = expected;
  start_ = start;
  iteration_ = 0;
}

base::Expected<bool> Trials::fails(edit::Selection selection, const std::vector<edit::TensorId>& cut,
                                   bool freeze_sides) {
  if (parts_.stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped");
  const int iteration = iteration_++;
  if (!selection.nodes.empty()) selection = parts_.supply.complete(std::move(selection), cut, start_, freeze_sides);
  const auto known = judged_.find(edit::key(selection));
  if (selection.nodes.empty() || known != judged_.end()) {
    ++parts_.counts.known;
    return known != judged_.end() && known->second == Verdict::Kind::fails;
  }
  model::Model model = edit::build_candidate(parts_.subject, selection, parts_.facts);
  parts_.log.info("{}, step {} of about {}: {} of {} nodes", phase_, iteration + 1, std::max(expected_, iteration + 1),
                  count_all_nodes(model, constants_), all_nodes_);
  Judged candidate{.selection = std::move(selection), .model = std::move(model)};
  ASSAY_ASSIGN(const Verdict verdict, judge(candidate));
  parts_.log.info("    {}{}{} ({:.2f} s)", describe(verdict.kind), verdict.text.empty() ? "" : ": ", verdict.text,
                  verdict.seconds);
  remember(std::move(candidate), verdict.kind);
  return verdict.kind == Verdict::Kind::fails;
}

base::Expected<Verdict> Trials::judge(const Judged& candidate) {
  ASSAY_ASSIGN(Verdict verdict, parts_.oracle({.model = candidate.model,
                                               .nodes = static_cast<int>(candidate.selection.nodes.size()),
                                               .iteration = {.number = iteration_ - 1, .phase = phase_},
                                               .verbatim = {}}));
  parts_.counts.add(verdict);
  return verdict;
}

void Trials::remember(Judged candidate, Verdict::Kind kind) {
  judged_.emplace(edit::key(candidate.selection), kind);
  if (kind == Verdict::Kind::passes) passing_.push_back(std::move(candidate.selection));
  if (kind != Verdict::Kind::fails) return;
  if (!failing_ || candidate.selection.nodes.size() <= failing_->selection.nodes.size()) {
    failing_ = std::move(candidate);
  }
}

std::optional<edit::Selection> Trials::nearest_passing() const {
  if (passing_.empty()) return std::nullopt;
  const auto size = static_cast<long>(failing_ ? failing_->selection.nodes.size() : parts_.subject.nodes().size());
  return *std::ranges::min_element(passing_, {}, [&](const edit::Selection& selection) {
    return std::labs(static_cast<long>(selection.nodes.size()) - size);
  });
}

}  // namespace assay::reduce
