// A part of the model is loaded once and run with one choice after the other. If no choice reaches a goal, bisection
// finds the node at which the engine fails, and the search continues with choices that get past that node. A choice
// with which the engine fails at a node isn't tried on another part with that node. The choice must not depend on the
// values that the caller wants at once: candidates are built ahead, in an order that varies with the number of jobs.
#include "reduce/values/choose_inputs.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace assay::reduce {
namespace {

constexpr int kLoads = 3;  // loads of one part, which has to be loaded again after a crash

using Nodes = std::vector<edit::NodeId>;
using Tensors = std::vector<edit::TensorId>;

Nodes first_nodes(const Nodes& nodes, std::size_t count) {
  return {nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Tries choices on parts of the model.
class Trials {
 public:
  explicit Trials(const InputSearch& search) : search_(search) {}

  // Returns the first choice of those from `from` to `end` with which the part runs. `may_keep`: asks
  // InputSearch::keeps_first.
  std::optional<ChosenInputs> first_that_runs(const Nodes& nodes, const Tensors& outputs, std::size_t from,
                                              std::size_t end, bool may_keep);
  // Each better choice has to get the engine past the node at which it failed with the best choice so far.
  ChosenInputs farthest(const Tensors& goal);

 private:
  // Remembers the node at which the engine fails with a choice, if its message quotes the node's name.
  void note(std::size_t choice, const Nodes& nodes, const worker::Failed& failure);
  // Returns whether the engine is known to fail at one of these nodes with a choice.
  [[nodiscard]] bool is_known_to_fail(std::size_t choice, const Nodes& nodes) const;

  const InputSearch& search_;
  std::map<std::size_t, edit::NodeId> failed_at_;  // by choice
};

void Trials::note(std::size_t choice, const Nodes& nodes, const worker::Failed& failure) {
  const std::size_t named = search_.parts.find_named(nodes, failure.message, "'");
  if (named < nodes.size()) failed_at_.emplace(choice, nodes[named]);
}

bool Trials::is_known_to_fail(std::size_t choice, const Nodes& nodes) const {
  const auto failed = failed_at_.find(choice);
  return failed != failed_at_.end() && std::ranges::find(nodes, failed->second) != nodes.end();
}

std::optional<ChosenInputs> Trials::first_that_runs(const Nodes& nodes, const Tensors& outputs, std::size_t from,
                                                    std::size_t end, bool may_keep) {
  std::unique_ptr<worker::Session> session;
  int loads = 0;
  for (std::size_t choice = from; choice < end; ++choice) {
    if (is_known_to_fail(choice, nodes)) continue;
    const tensor::NamedTensors* inputs = search_.inputs(choice);
    if (inputs == nullptr) continue;
    if (!session) {
      if (loads++ == kLoads) return std::nullopt;
      auto loaded = search_.parts.load(search_.engine, nodes, outputs, {});
      if (!loaded) return std::nullopt;  // sizes don't matter for loading
      session = *std::move(loaded);
    }
    auto values = search_.parts.run(*session, *inputs, outputs);
    if (values) return ChosenInputs{.choice = choice, .values = *std::move(values)};
    if (std::holds_alternative<worker::TimedOut>(values.error())) return std::nullopt;
    if (may_keep && choice == 0 && search_.keeps_first && search_.keeps_first(nodes, outputs, *inputs)) {
      return ChosenInputs{};
    }
    if (const auto* failed = std::get_if<worker::Failed>(&values.error())) {
      note(choice, nodes, *failed);
    } else {
      session.reset();
    }
  }
  return std::nullopt;
}

ChosenInputs Trials::farthest(const Tensors& goal) {
  const Nodes nodes = search_.parts.producers(goal, {});
  ChosenInputs best;
  std::size_t good = 0;
  for (;;) {
    const tensor::NamedTensors* inputs = search_.inputs(best.choice);
    if (inputs == nullptr || nodes.empty()) return best;
    const auto whole = search_.parts.load_and_run(search_.engine, nodes, search_.parts.ends(nodes), {}, *inputs);
    if (whole) return best;
    const std::size_t bad =
        find_failing_node(search_.parts, search_.engine, nodes, good, {}, *inputs, whole.error()).number;
    const Nodes part = first_nodes(nodes, bad + 1);
    auto better = first_that_runs(part, search_.parts.ends(part), best.choice + 1, search_.choices, false);
    if (!better) return best;
    best.choice = better->choice;
    good = bad + 1;
    if (good == nodes.size()) return best;
  }
}

}  // namespace

ChosenInputs choose_inputs(const InputSearch& search, const std::vector<Tensors>& goals, const Tensors& now) {
  Trials trials(search);
  Tensors with_now = goals.front();
  std::ranges::copy_if(now, std::back_inserter(with_now),
                       [&](edit::TensorId id) { return std::ranges::find(goals.front(), id) == goals.front().end(); });
  if (with_now.size() > goals.front().size()) {
    // In trials of its own: what fails here must not influence the choice.
    if (auto chosen = Trials(search).first_that_runs(search.parts.producers(with_now, {}), with_now, 0, 1, false)) {
      return *std::move(chosen);
    }
  }
  bool may_keep = true;
  for (const Tensors& goal : goals) {
    if (goal.empty()) continue;
    auto chosen = trials.first_that_runs(search.parts.producers(goal, {}), goal, 0, search.choices,
                                         std::exchange(may_keep, false));
    if (chosen) return *std::move(chosen);
  }
  return trials.farthest(goals.back());
}

FailingNode find_failing_node(const EngineParts& parts, const worker::EngineSpec& engine, const Nodes& nodes,
                              std::size_t good, const EngineParts::Values& known, const tensor::NamedTensors& inputs,
                              worker::Failure failure) {
  std::size_t bad = nodes.size();
  const auto look_at = [&](std::size_t count) {
    const Nodes part = first_nodes(nodes, count);
    const auto ran = parts.load_and_run(engine, part, parts.ends(part), known, inputs);
    (ran ? good : bad) = count;
    if (!ran) failure = ran.error();
  };
  // Most engines name the node; then two runs are enough.
  const std::size_t named = parts.find_named(nodes, worker::describe(failure));
  if (named < nodes.size() && named > good) look_at(named);
  if (named < nodes.size() && named + 1 > good && named + 1 < bad) look_at(named + 1);
  while (bad - good > 1) look_at(good + (bad - good) / 2);
  return {.number = bad - 1, .failure = std::move(failure)};
}

}  // namespace assay::reduce
