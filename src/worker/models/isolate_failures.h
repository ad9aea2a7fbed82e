// Finds the nodes of a model that an engine can't run, with few runs.
//
// Nodes run together. If that fails, they are split in half along their order, so that the second half can use what the
// first one computed. This takes about two runs for each failing node and each halving, however large the model is.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/graph_view.h"
#include "worker/outcome.h"

namespace assay::worker {

using NodeIds = std::vector<model::NodeId>;

// Counts the runs that failed, and decides when further ones aren't worth their time.
class FailedRuns {
 public:
  // `engine` is the name in errors. After `most` failures, or `most_timeouts` that took all of their time, it is
  // enough.
  explicit FailedRuns(std::string engine, int most = std::numeric_limits<int>::max(), int most_timeouts = 2);

  // Counts a failure. Errors: if the engine can't be started or a stop was requested, since no other run would succeed.
  base::Status add(const Failure& failure);
  // Counts a run that failed before the engine saw the model.
  void add() { ++count_; }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] bool is_enough() const;

 private:
  std::string engine_;
  int most_;
  int most_timeouts_;
  int count_ = 0;
  int timeouts_ = 0;
};

// How the parts of one model run. The functions get nodes in the order in which they are to be split.
struct PartRuns {
  // Returns those of the nodes that can run now; the others are left out.
  std::function<NodeIds(const NodeIds&)> runnable;
  // Runs the nodes together. Returns nothing on success, or the reason for the failure, which it adds to the
  // FailedRuns. Errors end the search.
  std::function<base::Expected<std::optional<std::string>>(const NodeIds&)> run;
  // Called with each node that fails alone or, if parts aren't split, with each part that fails.
  std::function<void(const NodeIds&, const std::string& reason)> fails;
  // Called with the nodes that aren't tried because enough other runs failed.
  std::function<void(const NodeIds&)> is_skipped;
  bool splits = true;  // parts that fail
};

// Runs the nodes and, if they fail, parts of them. Errors: those of `run`.
base::Status isolate_failures(const NodeIds& nodes, const PartRuns& parts, const FailedRuns& failed);

// Does the same for nodes that have just failed together, for this reason.
base::Status isolate_failures(const NodeIds& nodes, const std::string& reason, const PartRuns& parts,
                              const FailedRuns& failed);

}  // namespace assay::worker
