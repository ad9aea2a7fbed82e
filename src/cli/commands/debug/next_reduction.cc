#include "cli/commands/debug/next_reduction.h"

#include "backend/engine_table.h"
#include "cli/commands/debug/float16_tolerances.h"
#include "cli/parse/arguments.h"
#include "cli/parse/given_words.h"
#include "compare/equal_specials_options.h"
#include "locate/reduction_cost.h"
#include "run/engine_words.h"

namespace assay::cli {
namespace {

using Outcome = locate::Location::Outcome;

// Returns the words of a check that fails as long as the two sides differ.
Words check_words(const locate::Location& location, const LocateCommand& searched, const Words& inputs) {
  Words groups = {"Limits"};
  Words words = {"--check", "assay", "run", "polygraphy_debug.onnx"};
  const auto add = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  if (location.outcome == Outcome::random) {
    // An engine that is compared with itself takes only its own settings. Options can have a value for each engine, or
    // set other engines as well.
    const Words runner = run::engine_words(searched.engines.at(location.random_engine), searched.usual_libraries);
    add(runner);
    add(runner);
  } else {
    add(given_words(searched.app, {"Runners"}));
    for (const backend::EngineRow& row : backend::engine_rows()) groups.emplace_back(row.name);
  }
  add(given_words(searched.app, groups));
  add(inputs);
  if (!location.golden_file.empty()) add({"--load-outputs", location.golden_file.string()});
  add(given_words(searched.app, {"Comparison", "Comparison: simple", "Comparison: other ways"}));
  // As the search judges them: otherwise every part with a mask of infinities would fail the check.
  for (const char* option : compare::kEqualSpecialsOptions) {
    if (searched.app.count(option) == 0) words.emplace_back(option);
  }
  for (const char* option : {"--rtol", "--atol"}) {
    if (searched.float16 && searched.app.count(option) == 0) add({option, kFloat16ToleranceWord});
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
  // Saved values are only valid for unchanged nodes, so use the mode that does nothing but remove nodes. It leaves
  // nodes of bodies alone, so it can't do anything for a piece of one node.
  const bool linear = !location.golden_file.empty();
  if (linear && location.piece.size() == 1) return std::nullopt;
  Words inputs = {"--load-inputs", location.inputs_file.string()};
  Words words = {"assay", "debug", "reduce", location.model_file.string(), "-o", "reduced.onnx"};
  const auto add = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  if (whole) {
    words[3] = searched.model;
    inputs = given_words(searched.app, {"Data Loader"});
    add(given_words(searched.app, {"Data Loader"}, {"--iterations"}));  // a reduction uses one set of inputs
    if (const Words shapes = searched.app.get_option("--input-shapes")->results(); !shapes.empty()) {
      add({"--model-input-shapes"});
      add(shapes);
      inputs.emplace_back("--input-shapes");
      inputs.insert(inputs.end(), shapes.begin(), shapes.end());
    }
  } else {
    add(inputs);
  }
  if (location.outcome == Outcome::random) add({"--repeat", "10"});
  if (linear) add({"--mode", "linear"});
  // Candidates that an engine cannot run at all are a different failure.
  add({"--fail-regex", "Outputs that differ"});
  add(check_words(location, searched, inputs));
  const int nodes = whole ? location.nodes : static_cast<int>(location.piece.size());
  const locate::ReductionCost cost =
      linear ? locate::linear_reduction_cost(nodes, location.ledger) : locate::reduction_cost(nodes, location.ledger);
  return locate::NextCommand{.command = shell_text(words), .cost = cost};
}

}  // namespace assay::cli
