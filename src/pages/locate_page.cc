// The steps are the questions that the search answers in this order: do the outputs differ, is each side deterministic,
// where does the difference arise, is it born there, and does the saved piece show it.
#include "pages/locate_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/counted.h"
#include "base/strings.h"
#include "pages/all_agree.h"
#include "pages/graph.h"

namespace assay::pages {
namespace {

using locate::Layer;
using locate::Location;
using report::Mark;
using Outcome = Location::Outcome;

constexpr std::size_t kMostRows = 50;

std::string sides(const Location& location) {
  return location.first == location.second ? "two runs of " + location.first
                                           : location.first + " and " + location.second;
}

std::string tensor_text(const Layer& layer) {
  return fmt::format("tensor '{}', computed by {}", layer.tensor, layer.node);
}

report::PageTable layer_table(const std::string& title, const std::vector<const Layer*>& layers) {
  report::PageTable table{.title = title, .columns = {"Tensor", "Node", "In the model", "Its node alone"}};
  const std::size_t shown = std::min(layers.size(), kMostRows);
  if (shown < layers.size()) table.title += fmt::format(" (the first {} of {})", shown, layers.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Layer& layer = *layers[i];
    table.rows.push_back({layer.tensor, layer.node, locate::describe(layer.in_model),
                          layer.alone ? locate::describe(*layer.alone) : "not tried"});
  }
  return table;
}

template <class Keep>
std::vector<const Layer*> select(const std::vector<Layer>& layers, const Keep& keep) {
  std::vector<const Layer*> kept;
  for (const Layer& layer : layers) {
    if (keep(layer)) kept.push_back(&layer);
  }
  return kept;
}

bool differs(const Layer& layer) {
  return layer.in_model.differs;
}
bool is_born(const Layer& layer) {
  return layer.alone && layer.alone->differs;
}

report::PageStep outputs_step(const Location& location) {
  const auto differing = std::ranges::count_if(location.outputs, differs);
  report::PageStep step{.question = "Do the outputs of the unchanged model agree?",
                        .mark = differing == 0 ? Mark::good : Mark::bad};
  step.answer =
      fmt::format("{} of {} differ{} between {}.", differing, base::counted(std::ssize(location.outputs), "output"),
                  differing == 1 ? "s" : "", sides(location));
  step.tables.push_back(layer_table("Outputs", select(location.outputs, [](const Layer&) { return true; })));
  return step;
}

report::PageStep repeat_step(const Location& location) {
  if (location.outcome == Outcome::random) {
    return {.question = "Is each side deterministic?",
            .mark = Mark::bad,
            .answer = fmt::format("{} returns different values for the same inputs.", location.first)};
  }
  return {.question = "Is each side deterministic?",
          .mark = Mark::good,
          .answer = "Repeated runs agree within the tolerances."};
}

report::PageStep place_step(const Location& location) {
  report::PageStep step{.question = "At which tensors does the difference arise?", .mark = Mark::note};
  const std::vector<const Layer*> found = select(location.layers, differs);
  step.answer =
      fmt::format("{} of {} differ. ", found.size(), base::counted(std::ssize(location.layers), "compared tensor"));
  step.answer += "How they were compared: " + locate::describe_way(location) + ".";
  const std::vector<const Layer*> born = select(location.layers, is_born);
  if (!born.empty()) step.tables.push_back(layer_table("Tensors at which a difference is born", born));
  if (!found.empty()) step.tables.push_back(layer_table("Tensors that differ", found));
  return step;
}

report::PageStep birth_step(const Location& location) {
  const locate::Finding& finding = location.finding;
  report::PageStep step{.question = "Does that part differ by itself, given the same inputs?"};
  if (finding.confirmed) {
    step.mark = Mark::bad;
    step.answer = location.piece.size() > 1
                      ? fmt::format("The {} nodes up to it differ; fewer {}.", location.piece.size(),
                                    finding.refused_alone ? "agree, or are refused by an engine" : "agree")
                      : "The node by itself differs.";
  } else if (finding.exhausted) {
    step.answer = fmt::format("It isn't known: {} before.", locate::end_of_runs(location));
  } else {
    step.answer = finding.refused_whole ? "It isn't known: an engine refuses it."
                                        : "It agrees, so the difference is not pinned down.";
  }
  if (location.worst_tensor.share) {
    step.answer += fmt::format(" With its good values, {:.0f} % of the outputs' error disappears.",
                               *location.worst_tensor.share * 100);
  }
  if (!location.piece.empty()) {
    report::PageTable table{.title = "Nodes of the part", .columns = {"Node"}};
    for (const std::string& node : location.piece) table.rows.push_back({node});
    step.tables.push_back(std::move(table));
  }
  return step;
}

report::PageStep file_step(const Location& location) {
  report::PageStep step{.question = "Does the saved part differ, too?"};
  if (!location.verified) {
    step.mark = Mark::unknown;
    step.answer = fmt::format("It isn't known, since {}.", locate::why_not_verified(location));
  } else {
    step.mark = *location.verified ? Mark::bad : Mark::note;
    step.answer = *location.verified ? "Loaded again, in fresh sessions, it differs."
                                     : "Loaded again, in fresh sessions, it agrees.";
  }
  report::PageTable table{.title = "Saved files", .columns = {"File"}};
  for (const auto& file : {location.model_file, location.against_file, location.inputs_file, location.golden_file}) {
    if (!file.empty()) table.rows.push_back({file.string()});
  }
  step.tables.push_back(std::move(table));
  return step;
}

report::MinimalCase piece_of(const Location& location, const std::optional<locate::NextCommand>& next) {
  report::MinimalCase piece{.file = location.model_file.string(), .model_text = base::join(location.piece, "\n")};
  if (next) piece.commands.push_back(next->command);
  return piece;
}

}  // namespace

std::vector<report::PageTensor> errors_of(const Location& location) {
  std::vector<report::PageTensor> errors;
  const auto add = [&](const Layer& layer) {
    const locate::Divergence& found = layer.in_model;
    report::PageTensor& tensor = errors.emplace_back();
    const bool infinite = !found.measured || found.error.undefined > 0;
    const double most = std::numeric_limits<double>::infinity();
    tensor.name = layer.tensor;
    tensor.absolute = infinite && found.differs ? most : found.error.absolute.max;
    tensor.relative = infinite && found.differs ? most : found.error.relative.max;
    tensor.norm = found.size;
    tensor.agrees = !found.differs;
    if (found.differs && layer.alone) {
      tensor.origin = layer.alone->differs ? report::Origin::born : report::Origin::passed_on;
    }
  };
  std::set<std::string> differing;
  for (const Layer& layer : location.layers) {
    add(layer);
    if (layer.in_model.differs) differing.insert(layer.tensor);
  }
  for (const Layer& layer : location.outputs) {
    if (!differing.contains(layer.tensor)) add(layer);
  }
  return errors;
}

void watch(locate::LocateOptions& options, WorstTensors& worst) {
  options.watch = [&worst](const locate::SeenValues& seen) {
    worst.add(seen.name, seen.first, seen.second, seen.size);
  };
}

std::string verdict_on(const Location& location) {
  const locate::Finding& finding = location.finding;
  const std::string where = tensor_text(location.worst_tensor);
  if (location.outcome == Outcome::agree) {
    return all_agree(std::ssize(location.outputs), "output", sides(location)) + " within the tolerances.";
  }
  if (location.outcome == Outcome::random) {
    return fmt::format("{} is not deterministic: two runs with the same inputs differ at {}.", location.first, where);
  }
  if (finding.confirmed && location.piece.size() <= 1) {
    return fmt::format("The difference between {} is born at {}.", sides(location), where);
  }
  if (finding.confirmed) {
    return fmt::format("The difference between {} shows at {}, and is born in the {} nodes up to it.", sides(location),
                       where, location.piece.size());
  }
  return fmt::format("The difference between {} shows at {}, but the node at which it is born is not pinned down.",
                     sides(location), where);
}

report::Page locate_page(const Location& location, const std::optional<locate::NextCommand>& next,
                         const model::Model& model, const WorstTensors& worst) {
  report::Page page;
  page.mark = location.outcome == Outcome::agree ? Mark::good : Mark::bad;
  page.verdict = verdict_on(location);
  page.first_side = location.first;
  page.second_side = location.second;
  if (location.first == location.second) page.second_side += ", again";
  page.steps.push_back(repeat_step(location));
  page.steps.push_back(outputs_step(location));
  if (location.finding.first >= 0) {
    page.steps.push_back(place_step(location));
    page.steps.push_back(birth_step(location));
    if (!location.model_file.empty()) page.steps.push_back(file_step(location));
  }
  page.tables.push_back(
      {.title = "Cost",
       .columns = {"Runs", "Limit of runs", "Sessions", "Time"},
       .rows = {{fmt::format("{}", location.ledger.runs), fmt::format("{}", location.ledger.limit),
                 fmt::format("{}", location.ledger.sessions), fmt::format("{:.2f} s", location.seconds)}}});
  if (!location.notes.empty()) {
    report::PageTable table{.title = "Notes", .columns = {"Note"}};
    for (const std::string& note : location.notes) table.rows.push_back({note});
    page.tables.push_back(std::move(table));
  }
  page.graph = graph_of(model);
  add_weight_statistics(page.graph, model);
  set_errors(page.graph, errors_of(location));
  open_at(page.graph, location.worst_tensor.tensor);
  worst.add_to(page);
  if (!location.model_file.empty() || next) page.minimal_case = piece_of(location, next);
  return page;
}

}  // namespace assay::pages
