// The phases of the node search, in one table. Each looks for a smaller set of nodes that still fails.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reduce/explore/node_sets.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct Try {
  Nodes nodes;          // to keep; a subset of Found::best
  std::string what{};   // for people: "the first 12 of 40 nodes"
  double chance = 0.5;  // the estimated probability that it fails
};

// The findings that one phase hands to the next.
struct Found {
  std::shared_ptr<const Nodes> best;  // fails
  Nodes around{};                     // where the failure becomes visible, or what the check names; may be empty
  bool is_local = false;              // `best` was grown around these nodes, and is small
  bool is_before = false;             // it is local, and these nodes depend on all of it: most will be needed
  bool is_bypassed = false;           // nodes of `best` were bypassed, as far as that is possible
  bool is_alike = false;              // `best` has the nodes of one operator: many will be needed
  std::string text{};                 // the check's output for the whole
  Nodes needed{};                     // nodes of `best` that were needed in a larger graph
};

// A search as a value, like Strategy, but over sets of nodes only.
class Phase {
 public:
  virtual ~Phase() = default;
  [[nodiscard]] virtual std::unique_ptr<Phase> clone() const = 0;
  virtual std::optional<Try> next() = 0;
  virtual void learn(Verdict::Kind kind) = 0;
  // Stores what the phase has learned in `found`, whose `best` is up to date. Called when the phase has ended by
  // itself.
  virtual void end(Found& /*found*/) const {}
};

struct PhaseRow {
  std::string_view name;
  std::string_view summary;  // one line for --list-passes
  // Creates the phase; returns null if it has nothing to do.
  std::unique_ptr<Phase> (*begin)(const edit::Subject& subject, Found& found);
};

// Returns all phases in the order in which they run.
std::span<const PhaseRow> phases();

// Implements clone() for a phase with a copy constructor.
template <class Derived>
class CopyablePhase : public Phase {
 public:
  [[nodiscard]] std::unique_ptr<Phase> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

}  // namespace assay::reduce
