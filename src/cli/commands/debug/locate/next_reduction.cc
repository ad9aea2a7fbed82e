#include "cli/commands/debug/locate/next_reduction.h"

#include "backend/engine_table.h"
#include "base/shell_text.h"
#include "cli/options/float16_tolerances.h"
#include "cli/parse/arguments.h"
#include "cli/parse/given_words.h"
#include "locate/reduction_cost.h"
#include "run/engine_words.h"
#include "run/reduction_words.h"

namespace assay::cli {
namespace {

using Outcome = locate::Location::Outcome;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// Returns the engines of a check that fails as long as the two sides differ, and their limits.
Words engines_of_check(const locate::Location& location, const LocateCommand& searched) {
  Words words;
  Words groups = {"Limits"};
  if (location.outcome == Outcome::random) {
    // An engine that is compared with itself takes only its own settings. Options can have a value for each engine, or
    // set other engines as well.
    words = run::engine_words(searched.engines.at(location.random_engine), searched.usual_libraries);
    append(words, Words(words));
  } else {
    words = given_words(searched.app, {"Runners"});
    for (const backend::EngineRow& row : backend::engine_rows()) groups.emplace_back(row.name);
  }
  append(words, given_words(searched.app, groups));
  return words;
}

Words comparison_of_check(const LocateCommand& searched) {
  Words words = given_words(searched.app, {"Comparison", "Comparison: simple", "Comparison: other ways"});
  for (const char* option : {"--rtol", "--atol"}) {
    if (searched.float16 && searched.app.count(option) == 0) append(words, {option, kFloat16ToleranceWord});
  }
  return words;
}

}  // namespace

std::optional<locate::NextCommand> next_reduction(const locate::Location& location, const LocateCommand& searched) {
  // A piece that was never seen to differ isn't worth reducing. The whole model differs, if engines run it unchanged.
  const bool piece_differs = location.finding.confirmed || location.verified.value_or(false);
  const bool saved = !location.model_file.empty();
  const bool whole = searched.two_engines && locate::is_open(location) && !(saved && piece_differs);
  if (!saved && !whole) return std::nullopt;
  // --mode linear, which saved values need, leaves nodes of bodies alone, so it can't do anything for a piece of one
  // node.
  const bool linear = !location.golden_file.empty();
  if (linear && location.piece.size() == 1) return std::nullopt;
  run::FailingRun failing{.model = whole ? searched.model : location.model_file.string(),
                          .engines = engines_of_check(location, searched),
                          .golden = location.golden_file.string(),
                          .comparison = comparison_of_check(searched),
                          .is_intermittent = location.outcome == Outcome::random};
  if (whole) {
    failing.inputs = given_words(searched.app, {"Data Loader"});
    failing.input_shapes = searched.app.get_option("--input-shapes")->results();
  } else {
    failing.inputs = {"--load-inputs", location.inputs_file.string()};
  }
  const run::ReductionWords reduction = run::reduction_words(failing);
  Words words = {"assay"};
  append(words, reduction.command);
  append(words, {"-o", "reduced.onnx", "--check"});
  append(words, reduction.check);
  const int nodes = whole ? location.nodes : static_cast<int>(location.piece.size());
  const locate::ReductionCost cost =
      linear ? locate::linear_reduction_cost(nodes, location.ledger) : locate::reduction_cost(nodes, location.ledger);
  return locate::NextCommand{.command = base::shell_text(words), .cost = cost};
}

}  // namespace assay::cli
