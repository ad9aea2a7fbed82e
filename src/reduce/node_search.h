// Phases one after the other, as one search: from a whole model to a set of nodes of which none can go.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "reduce/phases/phase.h"
#include "reduce/strategy.h"

namespace assay::reduce {

class NodeSearch final : public Strategy {
 public:
  // `subject` must outlive this object and its copies. `skip`: names of phases that are not to run. `failed_as`: what
  // the check said of a model that the whole is no different from; then the whole is asked for only where this comes
  // into doubt, or nothing smaller fails.
  NodeSearch(const edit::Subject& subject, std::set<std::string, std::less<>> skip,
             std::optional<std::string> failed_as = {});
  // Takes single nodes out of a graph that fails and was made shorter since the other phases have run. `found` says
  // what is known of it.
  NodeSearch(const edit::Subject& subject, std::set<std::string, std::less<>> skip, Found found);
  NodeSearch(const NodeSearch& other);

  // These nodes were needed in a larger graph: all phases but the last keep them, and look among the others. Ascending.
  void keep(Nodes needed);

  // Ends before the phase that takes single nodes out, until resume() is called.
  void pause_before_single_nodes() { paused_ = true; }
  void resume() { paused_ = false; }

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<NodeSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // The whole failed: only then is there anything to search.
  [[nodiscard]] bool fails() const { return state_ == State::phases; }
  [[nodiscard]] Nodes best() const { return with_kept(*found_.best); }

 private:
  enum class State { whole, phases, passes };
  void advance();  // to the next phase that has something to try
  [[nodiscard]] Nodes with_kept(const Nodes& nodes) const;
  void release_kept();
  [[nodiscard]] bool asks_for_whole() const;

  const edit::Subject* subject_;
  std::set<std::string, std::less<>> skip_;
  State state_;
  bool confirmed_ = false;  // something failed in this search
  bool paused_ = false;
  int passed_ = 0;  // before that
  Found found_;
  Nodes kept_;  // not among those of `found_`
  std::size_t row_ = 0;
  std::unique_ptr<Phase> phase_;
  std::optional<Try> trial_;
};

}  // namespace assay::reduce
