// Tries selections: builds them, has them judged, and remembers what came of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "edit/selection.h"
#include "edit/tensor_facts.h"
#include "reduce/values/supply_boundary.h"
#include "reduce/verdicts/count_nodes.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

// Counts over a whole reduction, all subjects together. Checks of this run and verdicts of an earlier one are counted
// apart.
struct TrialCounts {
  int checks = 0;  // that this run made, and whose verdicts were asked for
  int failing = 0;
  int unresolved = 0;
  double check_seconds = 0;
  int replayed = 0;  // verdicts from a replay file or a journal
  int replayed_failing = 0;
  int replayed_unresolved = 0;
  int known = 0;  // tries that needed no verdict: the same candidate again, or nothing left of the model
  int ahead = 0;  // checks that were begun by looking ahead, and that nobody asked for in the end

  void add(const Verdict& verdict);

  // What budgets count: the same for a run that goes on with the verdicts of an earlier one.
  [[nodiscard]] int asked() const { return checks + replayed; }
  [[nodiscard]] int all_failing() const { return failing + replayed_failing; }
};

class Trials {
 public:
  struct Parts {
    const edit::Subject& subject;
    Constants constants;  // that the subject was made with
    const edit::TensorFacts& facts;
    BoundarySupply& supply;
    const Oracle& oracle;
    base::Log& log;
    const base::Stop& stop;
    TrialCounts& counts;
  };
  explicit Trials(const Parts& parts);

  // Starts to count iterations from 0 again. `expected`: about how many will come, for people. `start`: the nodes of
  // what is searched; a candidate is to have fewer.
  void begin(std::string phase, int expected, std::size_t start);
  // Does the selection still fail? `cut`: the tensors that the edit made inputs. No process is started for a candidate
  // that was judged before, nor for one without nodes.
  // `freeze_sides`: all that comes past the cut is frozen, see BoundarySupply::complete().
  base::Expected<bool> fails(edit::Selection selection, const std::vector<edit::TensorId>& cut,
                             bool freeze_sides = false);

  struct Judged {
    edit::Selection selection;
    model::Model model;  // as it was judged
  };
  // The failing candidate of the fewest nodes, the latest of several; null where nothing failed.
  [[nodiscard]] const Judged* smallest_failing() const { return failing_ ? &*failing_ : nullptr; }
  // The passing one closest in size to it.
  [[nodiscard]] std::optional<edit::Selection> nearest_passing() const;

 private:
  base::Expected<Verdict> judge(const Judged& candidate);
  void remember(Judged candidate, Verdict::Kind kind);

  Parts parts_;
  std::string phase_;
  int iteration_ = 0;
  int expected_ = 0;
  std::size_t start_ = 0;
  Constants constants_;                          // how nodes are counted
  std::int64_t all_nodes_;                       // of the subject's model
  std::map<std::string, Verdict::Kind> judged_;  // by edit::key
  std::optional<Judged> failing_;
  std::vector<edit::Selection> passing_;
};

}  // namespace assay::reduce
