// A search as a value: it says what to try next, is told what came of it, and can be copied.
//
// Because it can be copied, whoever drives it can look ahead: copy it, answer as if the candidate had passed (failed),
// and see what it would try then. So checks run in parallel without any search knowing of it, and the result is the
// same for every number of jobs: only verdicts that the search itself asks for reach it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "edit/selection.h"
#include "model/model.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// A selection whose inputs the search itself has chosen.
struct CutSelection {
  edit::Selection selection;
  std::vector<edit::TensorId> cut;  // tensors that become inputs
  std::size_t limit = 0;            // see BoundarySupply::complete()
  bool freeze_sides = false;
};

// A candidate before it is built. Shared, as looking ahead creates many.
using Draft = std::variant<std::shared_ptr<const edit::Selection>, std::shared_ptr<const model::Model>,
                           std::shared_ptr<const CutSelection>>;

struct Proposal {
  Draft draft;
  std::string_view pass{};      // who proposes it: a name of --list-passes; a literal
  std::string what{};           // what is tried, for people: "12 nodes around 'conv_7'"
  double chance_to_fail = 0.5;  // a guess, for looking ahead only
  // A run of its own, of what is known to fail: the verdict is that of this run alone, whatever others said or will
  // say. Runs of one candidate are told apart by this number.
  std::optional<int> further_run = {};
  // Its number in the replay file; by default proposals are numbered as they come.
  std::optional<Iteration> iteration = {};
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  [[nodiscard]] virtual std::unique_ptr<Strategy> clone() const = 0;
  // What to try next; the same until learn() is called. Absent: the search has ended.
  virtual std::optional<Proposal> next() = 0;
  // The verdict on what next() gave. `unresolved` is neither pass nor fail: the search steps round that candidate.
  virtual void learn(const Verdict& verdict) = 0;
};

}  // namespace assay::reduce
