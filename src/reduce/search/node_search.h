// Runs the phases one after the other, as one search: from a whole model to a set of nodes of which none can be
// removed.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reduce/explore/strategy.h"
#include "reduce/search/phases/phase.h"

namespace assay::reduce {

class NodeSearch final : public Strategy {
 public:
  // `subject` must outlive this object and its copies. `skip`: names of phases that don't run. `failed_as`: the check's
  // output for a model equivalent to the whole; if it is given, the whole is judged only if that becomes doubtful or
  // nothing smaller fails.
  NodeSearch(const edit::Subject& subject, std::set<std::string, std::less<>> skip,
             std::optional<std::string> failed_as = {});
  NodeSearch(const NodeSearch& other);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<NodeSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the findings of the phases. A search that continues another one begins with that one's findings, whose
  // `best` must consist of nodes of the new subject, and fail.
  [[nodiscard]] const Found& found() const { return found_; }
  void begin_with(Found found) {
    found_ = std::move(found);
    confirmed_ = true;
  }

  // Returns true if the whole failed, or is known to.
  [[nodiscard]] bool fails() const { return state_ == State::phases; }
  [[nodiscard]] const Nodes& best() const { return *found_.best; }

 private:
  enum class State { whole, phases, passes };
  void advance();  // to the next trial of this phase, or of the next one that has any
  [[nodiscard]] bool asks_for_whole() const;

  const edit::Subject* subject_;
  std::set<std::string, std::less<>> skip_;
  State state_;
  bool confirmed_ = false;  // a candidate of this search failed
  int passed_ = 0;          // candidates that didn't fail
  Found found_;
  std::size_t row_ = 0;
  std::unique_ptr<Phase> phase_;
  std::optional<Try> trial_;
};

}  // namespace assay::reduce
