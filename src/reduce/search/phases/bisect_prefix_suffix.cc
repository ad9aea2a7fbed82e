// Two bisections over the nodes in the order of the file: the shortest beginning that fails, whose last node is where
// the failure becomes visible; and, for failures that are not local, the shortest end of it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reduce/search/phases/divide_range.h"
#include "reduce/search/phases/phase_rows.h"

namespace assay::reduce {
namespace {

// Positions are the numbers of nodes kept.
class PrefixOrSuffix : public CopyablePhase<PrefixOrSuffix> {
 public:
  enum class Keep { beginning, end };
  PrefixOrSuffix(const edit::Subject& subject, std::shared_ptr<const Nodes> nodes, Keep keep)
      : nodes_(std::move(nodes)),
        keep_(keep),
        range_(0, static_cast<int>(nodes_->size()), scale(subject, *nodes_, keep)) {}

  std::optional<Try> next() override {
    const std::optional<int> length = range_.next();
    if (!length) return std::nullopt;
    const bool beginning = keep_ == Keep::beginning;
    return Try{.nodes = beginning ? Nodes(nodes_->begin(), nodes_->begin() + *length)
                                  : Nodes(nodes_->end() - *length, nodes_->end()),
               .what = fmt::format("the {} {} of {} nodes", beginning ? "first" : "last", *length, nodes_->size()),
               .chance = range_.chance(*length)};
  }
  void learn(Verdict::Kind kind) override {
    if (const auto length = range_.next()) range_.learn(*length, kind);
  }
  // Both ends of a suffix are needed.
  void end(Found& found) const override {
    found.around = {found.best->back()};
    if (keep_ == Keep::end) found.around.insert(found.around.begin(), found.best->front());
  }

 private:
  // A node weighs as much as the nodes in its bodies together.
  static DivideRange::Scale scale(const edit::Subject& subject, const Nodes& nodes, Keep keep) {
    std::vector<std::int64_t> counts = node_counts(subject, nodes);
    if (std::ranges::max(counts) == 1) return nullptr;
    if (keep == Keep::end) std::ranges::reverse(counts);
    std::vector<double> scale{0};
    for (const std::int64_t count : counts) scale.push_back(scale.back() + static_cast<double>(count));
    return std::make_shared<const std::vector<double>>(std::move(scale));
  }

  std::shared_ptr<const Nodes> nodes_;
  Keep keep_;
  DivideRange range_;
};

}  // namespace

std::unique_ptr<Phase> begin_prefix(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.best->size() < 2) return nullptr;
  return std::make_unique<PrefixOrSuffix>(subject, found.best, PrefixOrSuffix::Keep::beginning);
}

std::unique_ptr<Phase> begin_suffix(const edit::Subject& subject, Found& found) {
  if (found.is_local || found.best->size() <= kFewNodes) return nullptr;
  return std::make_unique<PrefixOrSuffix>(subject, found.best, PrefixOrSuffix::Keep::end);
}

}  // namespace assay::reduce
