#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/counted.h"
#include "locate/report.h"

namespace assay::locate {
namespace {

using Verdict = Location::Verdict;

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kMostNodes = 12;

// "0.0539 (4.6%), 123 of 400 values"
std::string describe(const Judgement& judgement) {
  if (!judgement.measured) return judgement.why.empty() ? "not measured" : judgement.why;
  const stats::ErrorSummary& error = judgement.error;
  if (error.equal()) return "none";
  std::string text = fmt::format("up to {:.3g}", error.absolute.max);
  if (std::isfinite(judgement.size)) text += fmt::format(", {:.3g} of the whole", judgement.size);
  if (error.nan.mismatched > 0) text += fmt::format(", {} NaN on one side alone", error.nan.mismatched);
  if (error.infinite.mismatched > 0)
    text += fmt::format(", {} infinities on one side alone", error.infinite.mismatched);
  return text + fmt::format(", {} of {} values beyond the tolerances", error.beyond, error.elements);
}

std::string short_size(const Judgement& judgement) {
  if (!judgement.measured) return "?";
  if (judgement.error.equal()) return "0";
  return fmt::format("{:.2g}", judgement.error.absolute.max);
}

std::string short_share(const Judgement& judgement) {
  return std::isfinite(judgement.size) ? fmt::format("{:.2g}", judgement.size) : "inf";
}

bool first_is_worst(const Location& location) {
  return location.first_tensor.tensor == location.worst_tensor.tensor;
}

std::int64_t as_signed(std::uint64_t count) {
  return static_cast<std::int64_t>(count);
}

std::string sides(const Location& location) {
  if (location.first == location.second) return location.first + " and itself, asked again";
  return location.first + " and " + location.second;
}

std::string describe_outputs(const Location& location) {
  const auto differing =
      std::ranges::count_if(location.outputs, [](const Layer& output) { return output.in_model.differs; });
  std::string text =
      fmt::format("{} of {} outputs differ between {}", differing, location.outputs.size(), sides(location));
  std::size_t shown = 0;
  for (const Layer& output : location.outputs) {
    if (!output.in_model.differs || shown++ >= 5) continue;
    text += fmt::format("\n  {}: {}", output.tensor, describe(output.in_model));
  }
  return text;
}

// A headline for the difference that matters most, which need not be the first.
const char* headline(const Location& location) {
  if (location.verdict == Verdict::random) return "NOT DETERMINISTIC";
  return first_is_worst(location) ? "FIRST DIFFERENCE" : "LARGEST DIFFERENCE";
}

std::string describe_weights(const Layer& layer) {
  if (layer.weights.empty()) return {};
  std::string text;
  for (const WeightBeyondFloat16& weight : layer.weights) {
    text += fmt::format("{}'{}' (", text.empty() ? "" : ", ", weight.name);
    if (weight.changes.too_large > 0)
      text += base::counted(as_signed(weight.changes.too_large), "value") + " too large";
    if (weight.changes.too_large > 0 && weight.changes.too_small > 0) text += ", ";
    if (weight.changes.too_small > 0) text += fmt::format("{} too small", weight.changes.too_small);
    text += ")";
  }
  return "\n  Its node reads weights beyond float16: " + text;
}

std::string describe_share(const Layer& layer) {
  if (!layer.share) return {};
  return fmt::format("\n  With good values in its place {:.0f} % of the outputs' error goes away", *layer.share * 100);
}

// Second to a larger one.
std::string describe_earlier(const Location& location) {
  if (first_is_worst(location)) return {};
  const Layer& first = location.first_tensor;
  std::string text =
      fmt::format("\n  The first difference is born earlier, at tensor '{}', made by {}", first.tensor, first.node);
  if (first.alone) text += ": " + describe(*first.alone);
  if (first.share) text += fmt::format("; it brings {:.0f} % of the outputs' error", *first.share * 100);
  return text;
}

std::string describe_worst(const Location& location) {
  const Finding& finding = location.finding;
  const Layer& first = location.worst_tensor;
  std::string text = headline(location);
  text += fmt::format(": tensor '{}'\n  Made by {}, of {} nodes", first.tensor, first.node, location.nodes);
  if (first.in_model.measured && first.in_model.differs) {
    text += fmt::format("\n  In the model it differs by {}", describe(first.in_model));
  }
  if (finding.confirmed && finding.piece.size() == 1) {
    text += "\n  Born here: ";
    text += location.verdict == Verdict::random ? "fed the same values, the node by itself gives different ones"
                                                : "fed the same values, the node by itself differs";
    if (first.alone) text += ", by " + describe(*first.alone);
  } else if (finding.confirmed) {
    text +=
        fmt::format("\n  By itself the node agrees; born in the {} nodes up to it: fed the same values, they differ",
                    location.piece.size());
    if (location.in_piece && location.in_piece->differs) text += ", by " + describe(*location.in_piece);
  } else if (finding.exhausted) {
    text +=
        fmt::format("\n  Not pinned down: no runs were left. It is born somewhere in {} nodes", location.piece.size());
  } else {
    text += fmt::format("\n  Not confirmed: the {} nodes up to it, run by themselves, agree", location.piece.size());
  }
  if (finding.confirmed && finding.exhausted) text += "; no runs were left to look for a smaller piece";
  text += describe_weights(first) + describe_share(first);
  if (location.piece.size() > 1 && location.piece.size() <= kMostNodes) {
    for (const std::string& node : location.piece) text += "\n    " + node;
  }
  if (location.only_place) {
    text += *location.only_place ? "\n  With good values in its place the outputs agree: it is the only place"
                                 : "\n  With good values in its place outputs still differ: there is another place";
  }
  if (!location.first_seen.empty()) {
    text += fmt::format("\n  '{}', before it, is beyond the tolerances too; its error is not born at its node, it grew",
                        location.first_seen);
  }
  return text + describe_earlier(location);
}

std::string describe_right(const Location& location) {
  if (location.verdict == Verdict::random) return {};
  if (location.good_is_known) return fmt::format("{} is taken for right; it can be wrong, too", location.good);
  return fmt::format("Which of the two is right is not known; nodes were fed the values of {}", location.good);
}

std::string describe_way(const Location& location) {
  const Finding& finding = location.finding;
  std::string text = "Way: ";
  const char* marks =
      finding.disturbed ? "marking them changes the outputs" : "marking them does not change the outputs";
  if (location.verdict == Verdict::random && finding.way != Way::bisection) {
    text += "all tensors in one run, again and again";
  } else if (finding.way == Way::all_at_once) {
    text += "all tensors in one run; ";
    text += marks;
  } else if (finding.way == Way::windows) {
    text += "tensors in windows of the memory budget; ";
    text += marks;
  } else if (finding.way == Way::some) {
    text += location.refusal.empty()
                ? "some tensors at a time, as windows of the memory budget would have taken more runs"
                : "some tensors at a time, as an engine does not run with all of them marked";
    text += "; marking them does not change the outputs";
  } else if (!location.refusal.empty()) {
    text += "bisection, as an engine does not run with tensors marked";
  } else if (location.verdict == Verdict::random) {
    text += "bisection, as all runs with all tensors marked gave the same";
  } else if (finding.disturbed) {
    text += "bisection, as marking all tensors changes the outputs (it keeps an engine from fusing nodes)";
  } else {
    text += "bisection";
  }
  return text;
}

// Rows worth reading: where a difference is born, or might be; not where it is only passed on.
std::vector<const Layer*> rows_of(const Location& location) {
  std::vector<const Layer*> rows;
  for (const Layer& layer : location.layers) {
    const bool passed_on = layer.alone && !layer.alone->differs;
    const bool named = layer.tensor == location.first_tensor.tensor || layer.tensor == location.worst_tensor.tensor;
    if (layer.in_model.differs && (named || !passed_on)) rows.push_back(&layer);
  }
  return rows;
}

std::string count_layers(const Location& location) {
  std::size_t differing = 0;
  std::size_t born = 0;
  std::size_t passed_on = 0;
  for (const Layer& layer : location.layers) {
    if (!layer.in_model.differs) continue;
    ++differing;
    if (layer.alone) ++(layer.alone->differs ? born : passed_on);
  }
  if (differing == 0) return {};
  std::string text = fmt::format("{} of {} tensors differ", differing, location.layers.size());
  if (location.finding.disturbed) text += " with all of them marked, which is not how the model runs";
  text += fmt::format("; a difference is born at {}, passed on at {}", born, passed_on);
  const std::size_t untried = differing - born - passed_on;
  return untried == 0 ? text : text + fmt::format(", and at {} that was not tried", untried);
}

std::string table(const Location& location) {
  const std::string counts = count_layers(location);
  if (counts.empty()) return {};
  const std::vector<const Layer*> rows = rows_of(location);
  std::string text = counts;
  text += fmt::format("\n  {:>10} {:>10} {:>10}  {}", "in model", "of whole", "alone", "tensor and node");
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    const Layer& row = *rows[i];
    text += fmt::format("\n  {:>10} {:>10} {:>10}  {} | {}", short_size(row.in_model), short_share(row.in_model),
                        row.alone ? short_size(*row.alone) : "-", row.tensor, row.node);
  }
  if (rows.size() > kMostRows) text += fmt::format("\n  and {} more (--format json)", rows.size() - kMostRows);
  const auto born_size = [](const Layer* layer) {
    return layer->alone && layer->alone->differs ? layer->alone->size : -1;
  };
  const auto largest = std::ranges::max_element(rows, {}, born_size);
  if (largest != rows.end() && born_size(*largest) > 0 && (*largest)->tensor != location.worst_tensor.tensor) {
    text += fmt::format("\n  Largest by itself: {} | {}, {:.2g} of the whole", (*largest)->tensor, (*largest)->node,
                        (*largest)->alone->size);
  }
  return text;
}

std::string describe_files(const Location& location) {
  if (location.model_file.empty()) return {};
  std::string text = fmt::format("Saved {} ({}) and {}", location.model_file.string(),
                                 base::counted(std::ssize(location.piece), "node"), location.inputs_file.string());
  if (!location.against_file.empty()) text += ", " + location.against_file.string();
  if (!location.golden_file.empty()) text += ", " + location.golden_file.string();
  if (!location.verified) return text + "; not tried again, as no runs were left";
  return text + (*location.verified ? ": loaded again, in fresh sessions, it differs, too"
                                    : ": loaded again, in fresh sessions, it does NOT differ");
}

std::string describe_cost(const Location& location) {
  const Ledger& ledger = location.ledger;
  std::string text = fmt::format("{} runs (at most {}), {} sessions, {:.2f} s", ledger.runs, ledger.limit,
                                 ledger.sessions, location.seconds);
  return text;
}

std::string describe_next(const Location& location, const std::optional<NextCommand>& next) {
  if (!next) {
    const bool helps = location.verdict != Verdict::agree && is_open(location) && location.model_file.empty();
    return helps ? "Next: the same command with -o FILE, which saves what `assay debug reduce` can continue with" : "";
  }
  std::string text = "Next: " + next->command;
  if (location.piece.size() <= 1 && !is_open(location)) return text;
  return text + fmt::format("\n  This takes about {}, {:.0f} s in all if each takes {:.2g} s as it did here",
                            base::counted(next->cost.checks, "check"), std::ceil(next->cost.seconds()),
                            next->cost.check_seconds);
}

}  // namespace

bool is_open(const Location& location) {
  return location.verdict != Verdict::agree && (location.finding.exhausted || !location.finding.confirmed);
}

std::string to_text(const Location& location, const std::optional<NextCommand>& next) {
  std::vector<std::string> parts;
  if (location.verdict == Verdict::agree) {
    parts.push_back(fmt::format("NO DIFFERENCE: all {} outputs of {} agree within the tolerances",
                                location.outputs.size(), sides(location)));
  } else {
    parts.push_back(describe_worst(location));
    parts.push_back(describe_outputs(location));
    parts.push_back(describe_right(location));
    parts.push_back(describe_way(location));
    parts.push_back(table(location));
  }
  for (const std::string& note : location.notes) parts.push_back("Note: " + note);
  parts.push_back(describe_files(location));
  parts.push_back(describe_cost(location));
  parts.push_back(describe_next(location, next));
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

}  // namespace assay::locate
