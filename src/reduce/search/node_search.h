// Phases one after the other, as one search: from a whole model to a set of nodes of which none can go.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reduce/search/phases/phase.h"
#include "reduce/search/strategy.h"

namespace assay::reduce {

class NodeSearch final : public Strategy {
 public:
  // `subject` must outlive this object and its copies. `skip`: names of phases that are not to run. `failed_as`: what
  // the check said of a model that the whole is no different from; then the whole is asked for only where this comes
  // into doubt, or nothing smaller fails.
  NodeSearch(const edit::Subject& subject, std::set<std::string, std::less<>> skip,
             std::optional<std::string> failed_as = {});
  NodeSearch(const NodeSearch& other);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<NodeSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // What the phases have found out. A search that goes on where another one ended begins with it; `best` is then of the
  // new subject, and fails.
  [[nodiscard]] const Found& found() const { return found_; }
  void begin_with(Found found) { found_ = std::move(found); }

  // The whole failed: only then is there anything to search.
  [[nodiscard]] bool fails() const { return state_ == State::phases; }
  [[nodiscard]] const Nodes& best() const { return *found_.best; }

 private:
  enum class State { whole, phases, passes };
  void advance();  // to the next phase that has something to try
  [[nodiscard]] bool asks_for_whole() const;

  const edit::Subject* subject_;
  std::set<std::string, std::less<>> skip_;
  State state_;
  bool confirmed_ = false;  // something failed in this search
  int passed_ = 0;          // before that
  Found found_;
  std::size_t row_ = 0;
  std::unique_ptr<Phase> phase_;
  std::optional<Try> trial_;
};

}  // namespace assay::reduce
