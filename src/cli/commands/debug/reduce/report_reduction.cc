#include "cli/commands/debug/reduce/report_reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/abandoned_files.h"
#include "base/counted.h"
#include "model/save.h"
#include "model/source_line.h"
#include "pages/reduction_page.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/judge/signature.h"
#include "report/list_nodes.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListedNodes = 10;

// "reduced.onnx" -> "reduced.other-1.onnx"
fs::path other_path(const fs::path& output, std::size_t number) {
  return output.parent_path() /
         fmt::format("{}.other-{}{}", output.stem().string(), number, output.extension().string());
}

// Returns whether Constant nodes of the result count as nodes.
report::ListConstants listed_constants(const reduce::Reduction& reduction) {
  const bool constants_count = reduction.nodes_after > reduce::count_all_nodes(*reduction.model);
  return constants_count ? report::ListConstants::yes : report::ListConstants::no;
}

void report_nodes(const reduce::Reduction& reduction, base::Log& log) {
  std::string text =
      fmt::format("Reduced {} to {}.", base::counted(reduction.nodes_before, "node"), reduction.nodes_after);
  const std::string ending = reduction.verbatim ? "" : pages::how_it_ended(reduction);
  if (!ending.empty()) text += fmt::format(" {}", ending);
  for (const std::string& line : report::describe_nodes(*reduction.model, kListedNodes, listed_constants(reduction))) {
    text += "\n    " + line;
  }
  log.info("{}", text);
}

// Warns of nodes that the claim doesn't cover, and of what the result has besides nodes.
void report_limits(const reduce::Reduction& reduction, bool by_command, base::Log& log) {
  for (const std::string& node : reduction.untried) log.warning("No model without this node could be built: {}", node);
  if (reduction.empty_fails && !by_command) {
    log.warning("By your answer, a model without any node fails, too, so the failure needs none of the nodes.");
  } else if (reduction.empty_fails) {
    log.warning(
        "A model without any node fails the check, too. Does the check test what you mean it to test? If only the "
        "message shows your failure, --same-failure strict or --fail-regex keeps to it.");
  }
  for (const std::string& function : reduction.uncalled_functions) {
    log.warning("The local function '{}' remains. No node calls it, but without it the failure disappears.", function);
  }
}

void report_passes(const reduce::Reduction& reduction, base::Log& log) {
  if (reduction.passes.empty()) return;
  std::string table = fmt::format("{:<24}{:>8}{:>9}{:>15}", "Pass", "Checks", "Failing", "Nodes removed");
  for (const reduce::PassCounts& pass : reduction.passes) {
    table += fmt::format("\n    {:<24}{:>8}{:>9}{:>15}", pass.pass, pass.checks, pass.failing, pass.nodes_removed);
  }
  log.info("{}", table);
}

void warn_if_all_fail(const reduce::TrialCounts& counts, bool by_command, base::Log& log) {
  constexpr int kSuspicious = 6;
  if (counts.asked() < kSuspicious || counts.all_failing() < counts.asked()) return;
  log.warning("Every candidate failed. {}",
              by_command ? "Does the check pass on any model?" : "If a part of the model works, answer p for it.");
}

void report_confirmation(const std::vector<reduce::Verdict>& verdicts, base::Log& log) {
  if (verdicts.empty()) return;
  const auto runs = static_cast<int>(verdicts.size());
  const auto failed =
      static_cast<int>(std::ranges::count(verdicts, reduce::Verdict::Kind::fails, &reduce::Verdict::kind));
  const reduce::Interval chance = reduce::failure_chance(failed, runs);
  log.info("The result failed in {} of {} more runs{}", failed, runs,
           runs == 1 ? ""
                     : fmt::format(" (its probability of failing is {:.0f} to {:.0f} %)", chance.low * 100,
                                   chance.high * 100));
}

void report_checks(const reduce::TrialCounts& counts, double seconds, base::Log& log) {
  log.info("{} ({} failed, {} unresolved{}) took {:.2f} s; {:.2f} s in all", base::counted(counts.checks, "check"),
           counts.failing, counts.unresolved,
           counts.ahead == 0   ? ""
           : counts.ahead == 1 ? "; 1 more was started ahead and not needed"
                               : fmt::format("; {} more were started ahead and not needed", counts.ahead),
           counts.check_seconds, seconds);
  if (counts.replayed == 0) return;
  log.info("{} of an earlier run ({} failed, {} unresolved) were reused from the journal or the replay file",
           base::counted(counts.replayed, "more verdict"), counts.replayed_failing, counts.replayed_unresolved);
}

}  // namespace

std::vector<std::string> save_others(const std::vector<reduce::OtherFailure>& others, const fs::path& output,
                                     base::Log& log) {
  std::vector<std::string> files(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const reduce::OtherFailure& other = others[i];
    log.warning("Another failure occurred {}: {}", base::counted(other.times, "time"),
                reduce::describe_with_headline(other.signature));
    if (output.empty()) continue;
    const fs::path path = other_path(output, i + 1);
    base::remove_abandoned(path);
    if (const base::Status saved = model::save(*other.model, path, {}, log); !saved) {
      log.warning("    its smallest model couldn't be saved: {}", saved.error().message());
    } else {
      log.warning("    its smallest model, of {}, is in {}", base::counted(other.nodes, "node"), path.string());
      files[i] = path.string();
    }
  }
  return files;
}

std::vector<std::string> remaining_nodes(const reduce::Reduction& reduction) {
  const report::NodeList list =
      report::list_nodes(*reduction.model, std::numeric_limits<std::size_t>::max(), listed_constants(reduction));
  std::vector<std::string> nodes;
  for (const report::ListedNode& listed : list.nodes) {
    nodes.push_back(model::describe_with_source(*listed.node, listed.index));
  }
  return nodes;
}

void report_reduction(const reduce::Reduction& reduction, bool by_command, base::Log& log) {
  report_nodes(reduction, log);
  if (by_command && !reduction.verdict.text.empty()) {
    log.info("The result fails: {}", reduce::describe_with_headline(reduction.failure));
  }
  report_limits(reduction, by_command, log);
  report_passes(reduction, log);
  warn_if_all_fail(reduction.counts, by_command, log);
  report_confirmation(reduction.confirmation, log);
  report_checks(reduction.counts, reduction.seconds, log);
}

}  // namespace assay::cli
