#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "base/counted.h"
#include "base/shell_text.h"
#include "base/strings.h"
#include "locate/layers_text.h"
#include "locate/report.h"
#include "run/layer_precisions.h"

namespace assay::locate {
namespace {

using Outcome = Location::Outcome;

constexpr std::size_t kMostNodes = 12;

bool first_is_worst(const Location& location) {
  return location.first_tensor.tensor == location.worst_tensor.tensor;
}

std::string sides(const Location& location) {
  if (location.first == location.second) return location.first + " and a second run of it";
  return location.first + " and " + location.second;
}

// Nothing is left to say of outputs if only runs with marked tensors differ.
std::string describe_outputs(const Location& location) {
  if (location.outputs.empty()) return {};
  const auto differing =
      std::ranges::count_if(location.outputs, [](const Layer& output) { return output.in_model.differs; });
  std::string text =
      fmt::format("{} of {} differ{} between {}", differing, base::counted(std::ssize(location.outputs), "output"),
                  differing == 1 ? "s" : "", sides(location));
  std::size_t shown = 0;
  for (const Layer& output : location.outputs) {
    if (!output.in_model.differs || shown++ >= 5) continue;
    text += fmt::format("\n  {}: {}", output.tensor, describe(output.in_model));
  }
  return text;
}

// Returns the headline for the difference that matters most, which needn't be the first.
const char* headline(const Location& location) {
  if (location.outcome == Outcome::random) return "NOT DETERMINISTIC";
  return first_is_worst(location) ? "FIRST DIFFERENCE" : "LARGEST DIFFERENCE";
}

std::string describe_weights(const Layer& layer) {
  if (layer.weights.empty()) return {};
  std::string text;
  for (const WeightBeyondFloat16& weight : layer.weights) {
    text += fmt::format("{}'{}' (", text.empty() ? "" : ", ", weight.name);
    if (weight.changes.too_large > 0) text += base::counted(weight.changes.too_large, "value") + " too large";
    if (weight.changes.too_large > 0 && weight.changes.too_small > 0) text += ", ";
    if (weight.changes.too_small > 0) text += fmt::format("{} too small", weight.changes.too_small);
    text += ")";
  }
  return "\n  Its node reads weights beyond float16: " + text;
}

std::string describe_source(const Layer& layer) {
  return layer.source.empty() ? "" : "\n  From " + layer.source;
}

std::string describe_share(const Layer& layer) {
  if (!layer.share) return {};
  return fmt::format("\n  With its good values, {:.0f} % of the outputs' error disappears", *layer.share * 100);
}

std::string describe_fused(const Location& location) {
  std::string text;
  for (const std::string& line : fused_lines(location)) text += "\n  " + line;
  return text;
}

// Describes the first difference if a later, larger one is the headline.
std::string describe_earlier(const Location& location) {
  if (first_is_worst(location)) return {};
  const Layer& first = location.first_tensor;
  std::string text =
      fmt::format("\n  The first difference is born earlier, at tensor '{}', computed by {}", first.tensor, first.node);
  if (first.alone) text += ": " + describe(*first.alone);
  if (first.share) text += fmt::format("; it causes {:.0f} % of the outputs' error", *first.share * 100);
  return text + describe_source(first);
}

// Returns the words that follow "differs" or "returns different values" in a sentence about the part.
std::string by_how_much(const Divergence& divergence) {
  return divergence.measured ? ", by " + describe(divergence) : ": " + describe(divergence);
}

std::string describe_birth(const Location& location) {
  const bool random = location.outcome == Outcome::random;
  std::string text = "\n  Born here: given the same inputs, ";
  if (location.has_inner_nodes) {
    text += fmt::format("these {} nodes, between which no tensor can be compared, {}", location.piece.size(),
                        random ? "return different values" : "differ");
  } else {
    text += random ? "the node by itself returns different values" : "the node by itself differs";
  }
  return location.worst_tensor.alone ? text + by_how_much(*location.worst_tensor.alone) : text;
}

// Describes the nodes in which the difference is born, and how certain that is.
std::string describe_origin(const Location& location) {
  const Finding& finding = location.finding;
  std::string text;
  if (finding.confirmed && finding.piece.size() == 1) {
    text = describe_birth(location);
  } else if (finding.confirmed) {
    text = fmt::format("\n  {}; born in the {} nodes up to it: given the same inputs, they differ",
                       finding.refused_alone ? "An engine refuses the node by itself" : "The node by itself agrees",
                       location.piece.size());
    if (location.in_piece && location.in_piece->differs) text += by_how_much(*location.in_piece);
  } else if (finding.exhausted) {
    text = fmt::format("\n  Not pinned down, since {}. It is born somewhere in {}", end_of_runs(location),
                       base::counted(std::ssize(location.piece), "node"));
  } else {
    const bool is_one = location.piece.size() == 1;
    const std::string part = is_one ? "the node" : fmt::format("the {} nodes up to it", location.piece.size());
    text = finding.refused_whole
               ? fmt::format("\n  Not confirmed: an engine refuses {} by {}", part, is_one ? "itself" : "themselves")
               : fmt::format("\n  Not confirmed: {}, run by {}", part, is_one ? "itself, agrees" : "themselves, agree");
  }
  if (finding.confirmed && finding.exhausted)
    text += fmt::format("; {} before a smaller piece was found", end_of_runs(location));
  return text;
}

std::string describe_misplacing(const Location& location) {
  return fmt::format(
      "WRONG ORDER OF OUTPUTS: {} returns them in another order or layout, even those of Identity nodes\n  No node is "
      "to blame. Below is what the search sees of it",
      location.misplacing);
}

std::string describe_worst(const Location& location) {
  const Layer& first = location.worst_tensor;
  std::string text = headline(location);
  text += fmt::format(": tensor '{}'\n  Computed by {}, of {}", first.tensor, first.node,
                      base::counted(location.nodes, "node"));
  text += describe_source(first);
  if (first.in_model.measured && first.in_model.differs) {
    text += fmt::format("\n  In the model it differs by {}", describe(first.in_model));
  }
  text += describe_origin(location);
  text += describe_weights(first) + describe_share(first);
  if (location.piece.size() > 1 && location.piece.size() <= kMostNodes) {
    for (const std::string& node : location.piece) text += "\n    " + node;
  }
  if (location.only_place) {
    text += *location.only_place ? "\n  With its good values, the outputs agree: it is the only place"
                                 : "\n  With its good values, outputs still differ: there is another place";
  }
  if (!location.grew_earlier.empty()) {
    text += fmt::format(
        "\n  '{}', before it, exceeds the tolerances too; its error is not born at its node but accumulated",
        location.grew_earlier);
  }
  return text + describe_fused(location) + describe_earlier(location);
}

std::string describe_right(const Location& location) {
  if (location.outcome == Outcome::random) return {};
  if (location.good_is_known) return fmt::format("{} is assumed to be right; it may be wrong, too", location.good);
  return fmt::format("It isn't known which of the two is right; nodes were given the values of {}", location.good);
}

std::string describe_files(const Location& location) {
  if (location.model_file.empty()) return {};
  std::string text = fmt::format("Saved {} ({}) and {}", location.model_file.string(),
                                 base::counted(std::ssize(location.piece), "node"), location.inputs_file.string());
  if (!location.against_file.empty()) text += ", " + location.against_file.string();
  if (!location.golden_file.empty()) text += ", " + location.golden_file.string();
  if (!location.verified) return text + fmt::format("; not verified, since {}", why_not_verified(location));
  return text + (*location.verified ? ": loaded again, in fresh sessions, it differs, too"
                                    : ": loaded again, in fresh sessions, it does NOT differ");
}

std::string describe_cost(const Location& location) {
  const Ledger& ledger = location.ledger;
  return fmt::format("{} (at most {}), {}, {:.2f} s", base::counted(ledger.runs, "run"), ledger.limit,
                     base::counted(ledger.sessions, "session"), location.seconds);
}

std::string describe_next(const Location& location, const std::optional<NextCommand>& next) {
  if (!next) {
    const bool helps = location.outcome != Outcome::agree && is_open(location) && location.model_file.empty();
    return helps
               ? "Next: the same command with -o FILE, which saves a piece that `assay debug reduce` can continue with"
               : "";
  }
  std::string text = "Next: " + next->command;
  if (location.piece.size() <= 1 && !is_open(location)) return text;
  return text + fmt::format("\n  This takes about {}, {:.0f} s in all if each takes {:.2g} s as it did here",
                            base::counted(next->cost.checks, "check"), std::ceil(next->cost.seconds()),
                            next->cost.check_seconds);
}

}  // namespace

std::vector<std::string> fused_lines(const Location& location) {
  std::vector<std::string> lines;
  for (const FusedLayer& layer : location.fused) {
    lines.push_back(fmt::format("In {}, the layer '{}' computes it", layer.runner, layer.name));
    if (layer.nodes.size() > 1) lines.back() += ", into which these nodes are fused: " + base::join(layer.nodes, ", ");
  }
  if (location.only_fused) {
    lines.emplace_back(*location.only_fused
                           ? "Only the fused nodes differ: with tensors between them marked as outputs, "
                             "the engine doesn't fuse them, and the outputs change"
                           : "The node differs without the fusion, too");
  }
  return lines;
}

std::vector<std::string> float32_lines(const Location& location) {
  if (location.float32_layers.empty()) return {};
  std::vector<std::string> words = {"--precision-constraints", "obey", "--layer-precisions"};
  std::ranges::move(run::layer_precision_words(location.float32_layers, "float32"), std::back_inserter(words));
  std::vector<std::string> lines = {"To keep float32 where a difference is born: " + base::shell_text(words)};
  if (location.float32_agrees) {
    lines.emplace_back(*location.float32_agrees ? "Built this way, the outputs agree"
                                                : "Built this way, outputs still differ: `assay debug precision --trt` "
                                                  "finds all layers that need float32");
  }
  return lines;
}

std::string describe(const Divergence& divergence) {
  if (!divergence.measured) return divergence.why.empty() ? "not measured" : divergence.why;
  const stats::ErrorSummary& error = divergence.error;
  if (error.equal()) return "none";
  const bool has_size = error.absolute.max > 0;  // else all errors are NaN, or the values are strings
  std::string text = has_size ? fmt::format("up to {:.3g}", error.absolute.max) : std::string();
  if (has_size && std::isfinite(divergence.size)) text += fmt::format(", relative norm {:.3g}", divergence.size);
  if (error.nan.mismatched > 0) {
    text += fmt::format("{}{} NaN on one side only", text.empty() ? "" : ", ", error.nan.mismatched);
  }
  if (error.infinite.mismatched > 0) text += fmt::format(", {} infinities on one side only", error.infinite.mismatched);
  return text +
         fmt::format("{}{} of {} values beyond the tolerances", text.empty() ? "" : ", ", error.beyond, error.elements);
}

const char* why_not_verified(const Location& location) {
  return location.refuses_saved ? "an engine fails on it" : end_of_runs(location);
}

const char* end_of_runs(const Location& location) {
  return location.ledger.stopped ? "the search was stopped" : "the limit of runs was reached";
}

std::string describe_way(const Location& location) {
  const Finding& finding = location.finding;
  const bool is_random = location.outcome == Outcome::random;
  if (is_random && finding.way != Way::bisection) return "all tensors in one run, repeatedly";
  const std::string marks =
      finding.disturbed ? "; marking them changes the outputs" : "; marking them does not change the outputs";
  switch (finding.way) {
    case Way::all_at_once:
      return "all tensors in one run" + marks;
    case Way::windows:
      return "tensors in windows of the memory budget" + marks;
    case Way::some:
      return std::string("some tensors at a time, since ") +
             (location.refusal.empty() ? "windows of the memory budget would have taken more runs"
                                       : "an engine fails with all of them marked") +
             "; marking them does not change the outputs";
    case Way::bisection:
      break;
  }
  if (!location.refusal.empty()) return "bisection, since an engine fails with tensors marked";
  if (is_random) return "bisection, since all runs with all tensors marked gave the same values";
  if (!finding.disturbed) return "bisection";
  return "bisection, since marking all tensors changes the outputs (it keeps an engine from fusing nodes)";
}

bool is_open(const Location& location) {
  return location.outcome != Outcome::agree && (location.finding.exhausted || !location.finding.confirmed);
}

std::string to_text(const Location& location, const std::optional<NextCommand>& next) {
  std::vector<std::string> parts;
  if (location.outcome == Outcome::agree) {
    parts.push_back(fmt::format("NO DIFFERENCE: the outputs of {} agree within the tolerances ({} compared)",
                                sides(location), base::counted(std::ssize(location.outputs), "output")));
  } else {
    if (!location.misplacing.empty()) parts.push_back(describe_misplacing(location));
    parts.push_back(describe_worst(location));
    parts.push_back(describe_outputs(location));
    parts.push_back(describe_right(location));
    parts.push_back("Way: " + describe_way(location));
    parts.push_back(layers_text(location));
  }
  for (const std::string& note : location.notes) parts.push_back("Note: " + note);
  parts.push_back(base::join(float32_lines(location), "\n  "));
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
