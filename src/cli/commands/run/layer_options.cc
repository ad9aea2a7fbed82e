#include "cli/commands/run/layer_options.h"

#include <algorithm>

#include "cli/terminal/console_log.h"
#include "compare/layer_report.h"
#include "tensor/json_writer.h"

namespace assay::cli {
namespace {

void write_timings(tensor::JsonWriter& json, const std::string& runner, const run::TimingSummary& timings) {
  json.begin_object();
  json.string("runner", runner);
  json.key("iterations");
  json.integer(static_cast<std::int64_t>(timings.iterations));
  for (const auto& [name, seconds] : {std::pair("average_s", timings.mean),
                                      {"median_s", timings.median},
                                      {"lower_quartile_s", timings.lower_quartile},
                                      {"upper_quartile_s", timings.upper_quartile},
                                      {"least_s", timings.least},
                                      {"most_s", timings.most}}) {
    json.key(name);
    json.number(seconds);
  }
  json.end_object();
}

base::Status print_json(const std::vector<compare::LayerPair>& pairs, const LayerOptions::Outcome& outcome,
                        std::ostream& out) {
  tensor::JsonWriter json([&out](std::string_view bytes) -> base::Status {
    out << bytes;
    return {};
  });
  json.begin_object();
  json.key("passed");
  json.boolean(outcome.passed);
  json.key("windows");
  json.integer(static_cast<std::int64_t>(outcome.windows));
  json.key("without");
  json.begin_array();
  for (const std::string& tensor : outcome.without) json.string(tensor);
  json.end_array();
  json.key("timings");
  json.begin_array();
  for (const auto& [runner, timings] : outcome.timings) write_timings(json, runner, timings);
  json.end_array();
  compare::write_layers(json, pairs);
  json.end_object();
  ASSAY_TRY(json.finish());
  out << '\n';
  return {};
}

}  // namespace

void LayerOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Layers";
  app.add_option("--layers", layers_,
                 "Show compared tensors: born (where errors arise or grow; the default if outputs are marked), all "
                 "(in the order of the graph) or none")
      ->check(CLI::IsMember({"none", "born", "all"}))
      ->group(kGroup);
  format_.add_to(app)
      ->description(
          "Choose the output: text, or json for programs, with the verdict and all layers (the log then goes to "
          "standard error)")
      ->group(kGroup);
}

void LayerOptions::connect(run::RunPlan& plan, compare::LayerTable& table) {
  plan.watch = [&table](std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
                        const compare::IterationJudgement& judgement) { table.add(pair, first, second, judgement); };
}

base::Status LayerOptions::report(const compare::LayerTable& table, const model::Model* model, const Outcome& outcome,
                                  const std::string& next, Context& context) const {
  const std::vector<compare::LayerPair> pairs = table.layers(model);
  if (prints_json()) ASSAY_TRY(print_json(pairs, outcome, context.out));
  const compare::LayerRows rows = layers_ == "all" ? compare::LayerRows::all : compare::LayerRows::born;
  for (const compare::LayerPair& pair : pairs) {
    const bool agrees =
        std::ranges::all_of(pair.layers, [](const compare::ComparedLayer& layer) { return layer.errors.agrees; });
    if (layers_ == "none") continue;
    context.log.log(agrees ? base::Level::info : base::Level::error, "{}",
                    as_message(compare::describe_layers(pair, rows, next)));
  }
  return {};
}

}  // namespace assay::cli
