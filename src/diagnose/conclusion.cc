// The sentence says who fails, where, and what avoids it, with the strongest fact for each. The steps know two places:
// the node at which the failure shows, and the nodes of the smallest failing model. They can disagree, and culprit()
// chooses. A node inside of a body is more precise than the node around it. A node that only carries values, such as a
// Cast or a Reshape, shows a wrong value that another node of the smallest model has computed, so that one is named.
//
// The outcome is undecided only if the budget ended before a cause was found or the outputs were compared. If there was
// nothing to compare with, "no bug found" says so.
#include "diagnose/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/capitalised.h"
#include "base/counted.h"
#include "base/strings.h"
#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "model/random_operators.h"

namespace assay::diagnose {
namespace {

using Outcome = Conclusion::Outcome;

bool was_cut_short(const State& state) {
  return std::ranges::any_of(state.steps, &Step::cut_short);
}

// Operators that only pass on values, possibly in another type.
constexpr std::array<std::string_view, 10> kCarriers = {"QuantizeLinear", "DequantizeLinear", "Cast",    "Identity",
                                                        "Reshape",        "Transpose",        "Squeeze", "Unsqueeze",
                                                        "Flatten",        "Constant"};

constexpr std::array<std::string_view, 4> kWithBodies = {"If", "Loop", "Scan", "SequenceMap"};

bool has_inner_nodes(const Case& task, const std::string& op_type) {
  return std::ranges::find(kWithBodies, op_type) != kWithBodies.end() ||
         std::ranges::any_of(task.model.proto.functions(),
                             [&](const auto& called) { return called.name() == op_type; });
}

// Returns the node to name: where the failure shows. If the minimal case is a node from inside of it, both are named;
// if that node only carries what another node of the minimal case computes, that one. An engine may reject a function
// that no node calls; then no node is to blame.
std::string culprit(const Case& task, const Facts& facts) {
  if (facts.refuses_all) return {};
  const std::vector<std::string>& functions = facts.minimal.uncalled_functions;
  if (facts.failure == Failure::refused && facts.minimal.complete && !functions.empty()) {
    const bool is_one = functions.size() == 1;
    return fmt::format("the local function{} '{}', even if no node calls {}", is_one ? "" : "s",
                       base::join(functions, "', '"), is_one ? "it" : "them");
  }
  const auto is_carrier = [](const NodeLabel& node) {
    return std::ranges::find(kCarriers, node.op_type) != kCarriers.end();
  };
  const NodeLabel& place = facts.place.node;
  // The numbers of its nodes aren't those of the model, so only their titles are named.
  const std::vector<NodeLabel>& minimal = facts.minimal.outer;
  if (minimal.size() == 1 && minimal.front().op_type != place.op_type && has_inner_nodes(task, place.op_type)) {
    return fmt::format("{} inside {}", minimal.front().title, place.text);
  }
  // A node with bodies counts if nothing else is known, since all that is left is in it.
  const bool is_one = facts.minimal.complete && minimal.size() == 1 && (facts.minimal.nodes == 1 || place.text.empty());
  // The minimal case is proven to fail. If it has the same node, the number in the model is worth keeping.
  const bool is_proven = facts.place.confirmed && !place.text.empty();
  if (is_one && !is_proven && minimal.front().title != place.title) return minimal.front().title;
  if (!facts.place.together.empty() && minimal.size() != 1) {
    constexpr std::size_t kMostNamed = 2;
    const std::vector<std::string>& others = facts.place.together;
    const std::string all = others.size() <= kMostNamed
                                ? fmt::format("{} and {}", base::join(others, ", "), place.text)
                                : fmt::format("the {} nodes up to {}", others.size() + 1, place.text);
    return all + ", between which nothing can be compared,";
  }
  if (facts.failure != Failure::differs || !is_carrier(place)) return place.text;
  const auto worker = std::ranges::find_if_not(minimal, is_carrier);
  return worker == minimal.end() ? place.text : worker->title;
}

bool is_weight(const model::Model& model, const std::string& name) {
  return std::ranges::find(model.graph().initializer(), name, &onnx::TensorProto::name) !=
         model.graph().initializer().end();
}

std::string how_it_refuses(const std::string& engine, const std::string& node, const Facts& facts) {
  const char* const does_not = facts.is_intermittent ? "doesn't always" : "doesn't";
  const std::string because = node.empty() ? "" : " because of " + node;
  if (facts.phase == kNeverStarted) return fmt::format("{} {} start ({})", engine, does_not, facts.message);
  if (facts.refuses_all) {
    return fmt::format("{} can't run even a model of one Identity node with the same IR version and operator sets ({})",
                       engine, facts.message);
  }
  if (facts.hung_s > 0) {
    return fmt::format("{} {}hangs{}: {}", engine, facts.is_intermittent ? "sometimes " : "", because, facts.message);
  }
  return fmt::format("{} {} run the model ({}){}", engine, does_not, facts.message, because);
}

std::string where_nan_comes_from(const model::Model& model, const std::string& engine, const std::string& node,
                                 const Facts& facts) {
  if (comes_from_input(facts)) {
    return fmt::format("the input '{}' holds NaN, which reaches the outputs", facts.place.tensor);
  }
  if (is_weight(model, facts.place.tensor)) {
    return fmt::format("weight '{}' of {} holds NaN, which reaches the outputs", facts.place.tensor, node);
  }
  return fmt::format("{}the model or its inputs lead to NaN{}{}", facts.good_is_sure ? "" : engine + ", ",
                     node.empty() ? "" : ", first at " + node,
                     facts.good_is_sure ? "" : ", and it is unknown which, since nothing else computes this output");
}

std::string how_they_differ(const Case& task, const std::string& engine, const std::string& node, const Facts& facts) {
  if (facts.moves_all) {
    return fmt::format("{} returns outputs in the wrong order or layout, even those of Identity nodes", engine);
  }
  const std::string other = name_of(task, facts, facts.good_side);
  if (facts.is_moved && facts.place.model_file.empty()) {
    return fmt::format("{} and {} return outputs in different orders or layouts", engine, other);
  }
  onnx::NodeProto drawing;
  drawing.set_op_type(facts.place.node.op_type);
  if (model::draws_random_numbers(drawing)) {
    return fmt::format("{} and {} draw different random numbers at {}, as ONNX allows", engine, other, node);
  }
  if (!facts.good_is_sure) {
    return fmt::format(
        "{} and {} differ{}{} and it is unknown which one is right, since no independent third opinion {}", engine,
        other, node.empty() ? "" : " at " + node, node.ends_with(',') ? "" : ",",
        facts.good_side == kGolden ? "confirms the saved results" : "decides");
  }
  return node.empty() ? fmt::format("{} computes wrong outputs", engine)
                      : fmt::format("{} computes {} wrong", engine, node);
}

std::string what_fails(const Case& task, const Facts& facts) {
  const std::string engine = name_of(task, facts, facts.faulty_side);
  const std::string node = culprit(task, facts);
  switch (facts.failure) {
    case Failure::overflows:
      return "float16 can't hold the values of the model: " + facts.message;
    case Failure::refused:
      return how_it_refuses(engine, node, facts);
    case Failure::random:
      return fmt::format("{} is not deterministic{}: the same inputs lead to different outputs", engine,
                         node.empty() ? "" : " at " + node);
    case Failure::not_finite:
      return where_nan_comes_from(task.model, engine, node, facts);
    case Failure::none:
    case Failure::differs:
      break;
  }
  return how_they_differ(task, engine, node, facts);
}

std::string minimal_clause(const Facts& facts) {
  if (facts.minimal.file.empty()) return {};
  return fmt::format("; the smallest failing model {} {}: {}",
                     facts.minimal.complete ? "has" : "that the budget allowed to find has",
                     base::counted(facts.minimal.nodes, "node"), facts.minimal.file);
}

Conclusion conclude_healthy(const Facts& facts) {
  if (facts.defect_is_official) {
    return {Outcome::cause, fmt::format("{}{}.", describe_defect(facts), minimal_clause(facts))};
  }
  if (!facts.floor.empty()) return {Outcome::healthy, fmt::format("No bug found: {}.", facts.floor)};
  return {Outcome::healthy, "No bug found: all engines that were compared run the model, and their outputs agree."};
}

}  // namespace

std::string describe_defect(const Facts& facts) {
  const std::string node = facts.defect_node.empty() ? "" : " at " + facts.defect_node;
  return fmt::format("The model is invalid{}: {}", node, facts.defect);
}

Conclusion conclude(const Case& task, const State& state) {
  const Facts& facts = state.facts;
  if (facts.failure == Failure::none) {
    Conclusion conclusion = conclude_healthy(facts);
    const Step* compared = state.find("compare");
    const bool was_compared = compared != nullptr && compared->answer.mark != report::Mark::skipped &&
                              compared->answer.mark != report::Mark::unknown;
    if (conclusion.outcome == Outcome::healthy && facts.floor.empty() && !was_compared) {
      if (was_cut_short(state))
        return {Outcome::undecided, "Don't know: the budget ended before the outputs were compared."};
      conclusion.sentence = "No bug found, but the outputs were not compared with anything.";
    }
    return conclusion;
  }
  std::string sentence = base::capitalised(what_fails(task, facts));
  if (!facts.setting.text.empty()) sentence += fmt::format(" unless {}", facts.setting.text);
  sentence += minimal_clause(facts);
  if (!facts.known.link.empty()) sentence += fmt::format("; it is known: {}", facts.known.link);
  const bool has_cause =
      facts.minimal.file.empty() ? !was_cut_short(state) : facts.minimal.complete || !facts.setting.text.empty();
  if (!has_cause) sentence += "; the budget ended before the cause was found";
  return {has_cause ? Outcome::cause : Outcome::undecided, sentence + "."};
}

std::string stopped_sentence(const Case& task, const State& state) {
  std::string sentence =
      fmt::format("Stopped after {} of {} steps; --resume continues.", state.steps.size(), steps().size());
  if (state.facts.failure != Failure::none) {
    sentence += fmt::format(" So far: {}{}.", what_fails(task, state.facts), minimal_clause(state.facts));
  }
  return sentence;
}

std::vector<std::string> unfinished(const State& state) {
  std::vector<std::string> questions;
  for (const Step& step : state.steps) {
    if (step.cut_short) questions.push_back(step.answer.question);
  }
  return questions;
}

}  // namespace assay::diagnose
