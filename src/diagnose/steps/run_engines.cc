// Does it run? Each engine that the user gave runs the model with its default settings. If one can't, the engines that
// weren't given are asked, too: if they run it, the model isn't at fault.
#include <fmt/format.h>

#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/trial.h"
#include "model/graph_view.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr std::size_t kShownMessage = 300;  // characters
constexpr std::size_t kTellingName = 3;     // a shorter name of a node may be in a message by chance

// Errors of Python end with what happened; those of the others begin with it.
std::string shorten(const std::string& message) {
  std::string line = message.substr(0, message.find('\n'));
  if (line.size() > kShownMessage) line = line.substr(0, kShownMessage) + " ...";
  return line;
}

// Returns the description of the node with the longest name that the engine's message mentions; empty if there is none.
std::string mentioned_node(const model::Model& model, const std::string& message) {
  std::string found;
  std::size_t longest = kTellingName - 1;
  for (int i = 0; i < model.graph().node_size(); ++i) {
    const onnx::NodeProto& node = model.graph().node(i);
    if (node.name().size() > longest && message.find(node.name()) != std::string::npos) {
      longest = node.name().size();
      found = model::describe_node(node, i);
    }
  }
  return found;
}

std::vector<std::string> row_of(const Side& side, const Trial& trial) {
  const std::string ending = trial.runs() ? "runs" : fmt::format("fails in phase {}: {}", trial.phase, trial.failure);
  return {side.setup.runner, side.setup.engine + " " + trial.version, ending, fmt::format("{:.3f}", trial.load_s),
          fmt::format("{:.3f}", trial.run_s)};
}

}  // namespace

base::Expected<report::PageStep> run_engines(const Case& task, Facts& facts, StepContext& context) {
  report::PageTable table{.title = "Runs",
                          .columns = {"Runner", "Engine", "Ending", "Load (s)", "Run (s)"},
                          .rows = {}};
  std::string others_run;
  for (std::size_t i = 0; i < task.sides.size(); ++i) {
    const Side& side = task.sides[i];
    if (!side.is_given && facts.failure == Failure::none) continue;
    ASSAY_ASSIGN(const Trial trial, try_engine(side.setup, task.source, task.inputs, context.pool, context.log));
    facts.versions[side.setup.runner] = trial.version;
    table.rows.push_back(row_of(side, trial));
    if (trial.runs()) {
      if (facts.good == kNoSide) facts.good = static_cast<int>(i);
      continue;
    }
    if (!side.is_given || facts.failure != Failure::none) continue;
    facts.failure = Failure::refused;
    facts.side = static_cast<int>(i);
    facts.phase = trial.phase;
    facts.message = shorten(trial.failure);
    facts.place.node = mentioned_node(task.model, trial.failure);
  }
  report::PageStep answer = make_answer(Mark::good, "yes");
  if (facts.failure == Failure::refused) {
    answer.mark = Mark::bad;
    answer.answer = fmt::format("no: {} fails in phase {}: {}", name_of(task, facts, facts.side), facts.phase,
                                facts.message);
    if (facts.good != kNoSide) answer.answer += fmt::format(". {} runs it", name_of(task, facts, facts.good));
  } else {
    facts.good = kNoSide;  // nothing failed, so it isn't known yet
  }
  answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace assay::diagnose
