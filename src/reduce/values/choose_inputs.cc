// A part of the model is loaded once and run with one choice after the other. If no choice reaches a goal, bisection
// finds the node at which the engine fails, and the search continues with choices that get past that node. The choice
// must not depend on the values that the caller wants at once: candidates are built ahead, in an order that varies with
// the number of jobs.
#include "reduce/values/choose_inputs.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace assay::reduce {
namespace {

constexpr int kLoads = 3;  // loads of one part, which has to be loaded again after a crash

using Nodes = std::vector<edit::NodeId>;
using Tensors = std::vector<edit::TensorId>;

// Returns the first choice, starting at `from`, with which the part runs.
std::optional<ChosenInputs> first_that_runs(const InputSearch& search, const Nodes& nodes, const Tensors& outputs,
                                            std::size_t from, std::size_t end) {
  std::unique_ptr<worker::Session> session;
  int loads = 0;
  for (std::size_t choice = from; choice < end; ++choice) {
    const tensor::NamedTensors* inputs = search.inputs(choice);
    if (inputs == nullptr) continue;
    if (!session) {
      if (loads++ == kLoads) return std::nullopt;
      auto loaded = search.parts.load(search.engine, nodes, outputs, {});
      if (!loaded) return std::nullopt;  // sizes don't matter for loading
      session = *std::move(loaded);
    }
    auto values = search.parts.run(*session, *inputs, outputs);
    if (values) return ChosenInputs{.choice = choice, .values = *std::move(values)};
    if (std::holds_alternative<worker::TimedOut>(values.error())) return std::nullopt;
    if (!std::holds_alternative<worker::Failed>(values.error())) session.reset();
  }
  return std::nullopt;
}

Nodes first_nodes(const Nodes& nodes, std::size_t count) {
  return {nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Each better choice has to get the engine past the node at which it failed with the best choice so far.
ChosenInputs farthest(const InputSearch& search, const Tensors& goal) {
  const Nodes nodes = search.parts.producers(goal, {});
  ChosenInputs best;
  std::size_t good = 0;
  for (;;) {
    const tensor::NamedTensors* inputs = search.inputs(best.choice);
    if (inputs == nullptr || nodes.empty()) return best;
    const auto whole = search.parts.load_and_run(search.engine, nodes, search.parts.ends(nodes), {}, *inputs);
    if (whole) return best;
    const std::size_t bad =
        find_failing_node(search.parts, search.engine, nodes, good, {}, *inputs, whole.error()).number;
    const Nodes part = first_nodes(nodes, bad + 1);
    auto better = first_that_runs(search, part, search.parts.ends(part), best.choice + 1, search.choices);
    if (!better) return best;
    best.choice = better->choice;
    good = bad + 1;
    if (good == nodes.size()) return best;
  }
}

}  // namespace

ChosenInputs choose_inputs(const InputSearch& search, const std::vector<Tensors>& goals, const Tensors& now) {
  const auto reach = [&](const Tensors& goal, std::size_t end) {
    return first_that_runs(search, search.parts.producers(goal, {}), goal, 0, end);
  };
  Tensors with_now = goals.front();
  std::ranges::copy_if(now, std::back_inserter(with_now),
                       [&](edit::TensorId id) { return std::ranges::find(goals.front(), id) == goals.front().end(); });
  if (with_now.size() > goals.front().size()) {
    if (auto chosen = reach(with_now, 1)) return *std::move(chosen);
  }
  for (const Tensors& goal : goals) {
    if (goal.empty()) continue;
    if (auto chosen = reach(goal, search.choices)) return *std::move(chosen);
  }
  return farthest(search, goals.back());
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
