// A search as a value: it proposes a candidate, learns the verdict, and can be copied.
//
// Copying lets the explorer look ahead: it copies the search, pretends that the candidate passed (or failed), and sees
// what the copy proposes then. So checks run in parallel although each search is sequential, and the result is the same
// for every number of jobs: a search only learns the verdicts that it asked for.
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

using SharedModel = std::shared_ptr<const model::Model>;

// A selection whose inputs the search itself chose.
struct CutSelection {
  edit::Selection selection;
  std::vector<edit::TensorId> cut;  // tensors that become inputs
  std::size_t limit = 0;            // see BoundarySupply::complete()
  bool freeze_cut = false;          // also freezes the other tensors at the cut that have a value
};

// A candidate before it is built. Shared, since looking ahead copies many.
using Draft = std::variant<std::shared_ptr<const edit::Selection>, SharedModel, std::shared_ptr<const CutSelection>>;

struct Proposal {
  Draft draft;
  std::string_view pass{};      // the pass or phase that proposes it; a string literal
  std::string what{};           // what is tried, for people: "without Conv 'conv_7'"
  double chance_to_fail = 0.5;  // an estimate, used only to look ahead
  // Asks for a single run with its own verdict, which neither uses nor affects the candidate's other runs. The number
  // distinguishes the further runs of one candidate.
  std::optional<int> further_run = {};
  // Its number in the replay file; by default proposals are numbered in order.
  std::optional<Iteration> iteration = {};
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  [[nodiscard]] virtual std::unique_ptr<Strategy> clone() const = 0;
  // Returns what to try next; the same until learn() is called. Returns nothing once the search has ended.
  virtual std::optional<Proposal> next() = 0;
  // Takes the verdict on what next() returned. `unresolved` is neither pass nor fail: the search skips that candidate.
  virtual void learn(const Verdict& verdict) = 0;
};

}  // namespace assay::reduce
