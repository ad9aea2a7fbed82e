// Which layer is first, and which is worst? The search of `debug locate`, between the engine at fault and the side that
// is right; or of the engine and itself, if it isn't deterministic. The piece that it saves is what gets reduced next.
#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/steps/blame_random.h"
#include "locate/locate.h"
#include "locate/report.h"
#include "pages/locate_page.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr std::size_t kShownLayers = 200;

std::string size_text(const locate::Divergence& divergence) {
  return divergence.measured ? fmt::format("{:.3g}", divergence.size) : divergence.why;
}

report::PageTable table_of(const locate::Location& location) {
  report::PageTable table{.title = "Layers that differ",
                          .columns = {"Tensor", "Node", "Error in the model", "Error of the node alone", "Origin"},
                          .rows = {}};
  for (const locate::Layer& layer : location.layers) {
    if (!layer.in_model.differs || table.rows.size() == kShownLayers) continue;
    const bool is_born = layer.alone && layer.alone->differs;
    table.rows.push_back({layer.tensor, layer.node, size_text(layer.in_model),
                          layer.alone ? size_text(*layer.alone) : "",
                          !layer.alone ? ""
                          : is_born    ? "born here"
                                       : "passed on"});
  }
  return table;
}

locate::LocateInput make_input(const Case& task, const Facts& facts) {
  locate::LocateInput input{.model = task.model, .engines = {}, .golden = {}, .inputs = task.inputs_by_iteration()};
  input.engines.push_back(task.sides.at(facts.faulty_side).setup);
  const auto good = good_engine(task, facts);
  if (facts.failure == Failure::random) {
    input.engines.push_back(input.engines.front());
  } else if (good) {
    input.engines.push_back(*good);
  } else {
    input.golden = task.golden;
  }
  if (input.engines.size() == 2 && input.engines[0].runner == input.engines[1].runner) {
    input.engines[1].runner += facts.failure == Failure::random ? " again" : " without it";
  }
  for (run::EngineSetup& engine : input.engines) {
    if (!engine.limits.time_s) engine.limits.time_s = time_limit(facts, slowest_s_of_check(task, facts));
  }
  return input;
}

void take_place(const model::Model& model, const locate::Location& location, Facts& facts) {
  const locate::Layer& worst = location.worst_tensor;
  if (worst.node_index >= 0) facts.place.node = label_of(model.graph().node(worst.node_index), worst.node_index);
  facts.place.tensor = worst.tensor;
  // A piece that doesn't differ in fresh sessions proves nothing.
  const bool is_proven = location.verified.value_or(false);
  facts.place.confirmed = location.finding.confirmed && location.verified.value_or(true);
  facts.place.nodes = static_cast<int>(location.piece.size());
  const bool is_one_cell = location.finding.confirmed && location.finding.piece.size() == 1;
  if (is_one_cell && location.piece.size() > 1) {
    facts.place.together.assign(location.piece.begin(), std::prev(location.piece.end()));
  }
  if (!is_proven || location.model_file.empty()) return;
  facts.place.model_file = location.model_file.string();
  facts.place.inputs_file = location.inputs_file.string();
  facts.place.golden_file = location.golden_file.string();
}

std::string describe(const locate::Location& location, const Facts& facts) {
  std::string text = fmt::format("'{}' of {}", location.first_tensor.tensor, location.first_tensor.node);
  if (facts.place.tensor != location.first_tensor.tensor) {
    text += fmt::format("; the worst is '{}' of {}", facts.place.tensor, facts.place.node.text);
  }
  if (location.piece.size() > 1) text += fmt::format("; it takes {} nodes to reproduce it", location.piece.size());
  if (location.finding.exhausted) text += "; the search reached its limit, so there may be a smaller place";
  for (const std::string& line : locate::fused_lines(location)) text += ". " + line;
  for (const std::string& line : locate::float32_lines(location)) text += ". " + line;
  return text;
}

// Returns the answer if no search is needed, since earlier steps have found the place, or no node is to blame.
std::optional<report::PageStep> known_answer(const Facts& facts) {
  if (facts.failure == Failure::none) return make_answer(Mark::skipped, "not asked: no engine fails");
  if (facts.failure == Failure::refused && facts.refuses_all) {
    return make_answer(Mark::good, "no node is to blame: the engine can't run even a model of one Identity node");
  }
  if (facts.failure == Failure::refused) {
    if (facts.place.node.text.empty()) {
      return make_answer(Mark::unknown, "don't know: the engine computes nothing, and its message names no node");
    }
    return make_answer(Mark::good, fmt::format("the engine's message names {}", facts.place.node.text));
  }
  if (facts.failure == Failure::not_finite) {
    if (comes_from_input(facts)) {
      return make_answer(Mark::good, fmt::format("the NaN comes from the input '{}'", facts.place.tensor));
    }
    const std::string& node = facts.place.node.text;
    return make_answer(node.empty() ? Mark::unknown : Mark::good,
                       node.empty() ? "don't know" : "the first NaN is computed by " + node);
  }
  if (facts.failure == Failure::overflows) {
    return make_answer(Mark::good, fmt::format("'{}' of {}", facts.place.tensor, facts.place.node.text));
  }
  if (facts.moves_all) {
    return make_answer(Mark::good, "no node is to blame: the engine misplaces even what Identity nodes pass on");
  }
  return std::nullopt;
}

}  // namespace

base::Expected<report::PageStep> locate_place(const Case& task, Facts& facts, StepContext& context) {
  if (auto known = known_answer(facts)) return *std::move(known);
  locate::LocateOptions options;
  options.plan = task.plan;
  // Both sides are then the same engine, which has to show again that it is random.
  if (facts.failure == Failure::random) options.repeats = repeats_of(slowest_s_of_check(task, facts));
  options.output = task.folder / "piece.onnx";
  options.inputs = task.folder / "piece_inputs.json";
  ASSAY_ASSIGN(const locate::Location location,
               locate::locate(make_input(task, facts), options, context.pool, context.log, context.stop));
  if (location.ledger.stopped) return base::fail(base::ErrorKind::interrupted, "stopped");
  if (location.outcome == locate::Location::Outcome::agree) {
    return make_answer(Mark::unknown, "don't know: both sides agreed this time");
  }
  if (location.outcome == locate::Location::Outcome::random && facts.failure == Failure::differs) {
    if (auto answer = blame_random(task, location.random_engine == 1, facts)) return *std::move(answer);
  }
  take_place(task.model, location, facts);
  facts.layers = pages::errors_of(location);
  report::PageStep answer = make_answer(Mark::good, describe(location, facts));
  answer.tables.push_back(table_of(location));
  return answer;
}

}  // namespace assay::diagnose
