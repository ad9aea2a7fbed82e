#include "diagnose/report_text.h"

#include <fmt/format.h>

#include <vector>

#include "base/strings.h"
#include "diagnose/conclusion.h"
#include "diagnose/find_sizes.h"
#include "diagnose/quantization_step.h"

namespace assay::diagnose {
namespace {

// Each of the following functions returns lines that begin with a line break, or an empty text.

// Where the model comes from, what the budget cut short, and the nodes of the minimal case.
std::string place_lines(const State& state) {
  std::string text;
  const Minimal& minimal = state.facts.minimal;
  // The minimal case lists the lines of its nodes.
  if (const NodeLabel& node = state.facts.place.node; minimal.lines.empty() && !node.source.empty()) {
    text += "\nFrom " + node.source;
  }
  if (const std::vector<std::string> open = unfinished(state); !open.empty()) {
    text += "\nNot finished within the budget: " + base::join(open, " ");
  }
  for (const std::string& line : minimal.lines) text += "\n    " + line;
  return text;
}

// Facts that qualify the conclusion.
std::string notes(const Case& task, const Facts& facts) {
  std::string text;
  if (!facts.note.empty()) text += "\n" + facts.note;
  if (facts.failure == Failure::refused && facts.defect_is_official && !facts.refuses_all) {
    text += "\n" + describe_defect(facts);
  }
  if (!task.misfits.empty()) {
    text += fmt::format(
        "\nThe given inputs don't fit the model, and were changed. A program that feeds them as they are "
        "fails or gets other results: {}",
        base::join(task.misfits, "; "));
  }
  if (facts.failure == Failure::differs && !facts.no_floor.empty()) {
    text += fmt::format("\nNot measured: how much of the difference rounding explains, since {}", facts.no_floor);
  }
  return text;
}

// Returns what the user can do next: lines, each with a newline before it.
std::string advice(const Case& task, const Facts& facts) {
  std::string text;
  if (facts.failure == Failure::overflows) {
    text += "\nNext: `assay debug precision` on the model in float32 finds the nodes that have to stay in float32";
  }
  const bool doubts_saved = facts.failure == Failure::differs && facts.good_side == kGolden;
  if (doubts_saved && !facts.good_is_sure && is_quantized(task.model)) {
    text += fmt::format(
        "\nIf the results were saved before the model was quantized: `assay debug precision FLOAT_MODEL "
        "--quantized {}` finds the nodes that can't be quantized",
        task.file.string());
  }
  // If larger sizes were found, the note has said so.
  const bool is_unexplained = facts.note.empty() && !facts.is_intermittent;
  if (facts.failure == Failure::refused && facts.phase == "run" && is_unexplained) {
    if (const std::vector<std::string> names = inputs_of_size_one(task); !names.empty()) {
      text += fmt::format(
          "\nThe dynamic dimensions of '{}' were set to 1. The model may run with others: --input-shapes sets them",
          base::join(names, "', '"));
    }
  }
  return text;
}

std::string minimal_case(const Minimal& minimal) {
  std::string text;
  if (!minimal.check.empty() && !minimal.file.empty()) text += "\nIt fails this check: " + minimal.check;
  if (!minimal.folder.empty()) text += "\nFor a bug report: " + minimal.folder;
  return text;
}

}  // namespace

std::string to_text(const Case& task, const State& state) {
  return conclude(task, state).sentence + place_lines(state) + notes(task, state.facts) + advice(task, state.facts) +
         minimal_case(state.facts.minimal);
}

}  // namespace assay::diagnose
