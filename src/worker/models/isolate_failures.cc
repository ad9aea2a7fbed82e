#include "worker/models/isolate_failures.h"

#include <cstddef>
#include <utility>
#include <variant>

namespace assay::worker {

FailedRuns::FailedRuns(std::string engine, int most, int most_timeouts)
    : engine_(std::move(engine)), most_(most), most_timeouts_(most_timeouts) {}

base::Status FailedRuns::add(const Failure& failure) {
  const auto* answer = std::get_if<Failed>(&failure);
  const bool no_engine = answer != nullptr && answer->phase == Phase::start;
  if (no_engine || std::holds_alternative<Stopped>(failure)) return base::fail(to_error(failure, engine_));
  if (std::holds_alternative<TimedOut>(failure)) ++timeouts_;
  add();
  return {};
}

bool FailedRuns::is_enough() const {
  return count_ >= most_ || timeouts_ >= most_timeouts_;
}

base::Status isolate_failures(const NodeIds& nodes, const PartRuns& parts, const FailedRuns& failed) {
  const NodeIds runnable = parts.runnable(nodes);
  if (runnable.empty()) return {};
  if (failed.is_enough()) {
    parts.is_skipped(runnable);
    return {};
  }
  ASSAY_ASSIGN(const std::optional<std::string> reason, parts.run(runnable));
  return reason ? isolate_failures(runnable, *reason, parts, failed) : base::Status();
}

base::Status isolate_failures(const NodeIds& nodes, const std::string& reason, const PartRuns& parts,
                              const FailedRuns& failed) {
  if (nodes.size() == 1 || !parts.splits) {
    parts.fails(nodes, reason);
    return {};
  }
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  ASSAY_TRY(isolate_failures({nodes.begin(), middle}, parts, failed));
  return isolate_failures({middle, nodes.end()}, parts, failed);
}

}  // namespace assay::worker
