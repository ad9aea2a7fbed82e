// The phases of the node search, one table: each looks for a smaller set of nodes that still fails.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reduce/verdicts/node_sets.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct Try {
  Nodes nodes;          // a subset of those that are known to fail
  std::string what{};   // for people: "up to 'conv_7'"
  double chance = 0.5;  // to fail; a guess
};

// A search as a value, like Strategy (which see), in nodes alone.
class Phase {
 public:
  virtual ~Phase() = default;
  [[nodiscard]] virtual std::unique_ptr<Phase> clone() const = 0;
  virtual std::optional<Try> next() = 0;
  virtual void learn(Verdict::Kind kind) = 0;
};

// What one phase finds out for the next.
struct Found {
  std::shared_ptr<const Nodes> best;  // fails
  Nodes around{};                     // where the failure becomes visible, or what its message names; may be empty
  bool is_local = false;              // `best` was found round these nodes, and is small
  bool is_before = false;             // and holds only what lies before them: most of it will be needed
  std::string text{};                 // what the check said of the whole
  Nodes needed{};                     // of `best`, these were needed in a larger graph
};

struct PhaseRow {
  std::string_view name;
  std::string_view summary;  // one line for --list-passes
  // Null: nothing to do.
  std::unique_ptr<Phase> (*begin)(const edit::Subject& subject, Found& found);
  // Takes what was learned into `found`, whose `best` is up to date; after a phase that ended by itself.
  void (*end)(const Phase& phase, Found& found);
};

// In the order in which they run.
std::span<const PhaseRow> phases();

// clone() for a phase that can be copied.
template <class Derived>
class CopyablePhase : public Phase {
 public:
  [[nodiscard]] std::unique_ptr<Phase> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

}  // namespace assay::reduce
