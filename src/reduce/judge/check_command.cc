// Runs the command for one file, then applies the rules of OutcomeRules to how it ended. If the check is one of our own
// commands and an engine rejected the model, the verdict depends on how the whole model fails, so the command is run
// once on that, too.
#include "reduce/judge/check_command.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "base/seconds.h"
#include "base/strings.h"
#include "reduce/judge/command_for.h"
#include "reduce/judge/unable_check.h"

namespace assay::reduce {

namespace {

// Replaces the file's name in the output by the artifact's: verdicts are compared by their texts, which must not depend
// on the slot.
void rename_file(worker::Outcome<worker::Exited>& outcome, const std::string& name, const std::string& called) {
  if (name == called || name.empty()) return;
  std::string* output = outcome ? &outcome->output : nullptr;
  if (!outcome) {
    if (auto* crashed = std::get_if<worker::Crashed>(&outcome.error())) output = &crashed->last_output;
  }
  if (output != nullptr) *output = base::replace_all(*output, name, called);
}

// Removes what differs between runs of the same failure: times, addresses, sizes.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      result += c;
    } else if (!result.ends_with('#')) {
      result += '#';
    }
  }
  return result;
}

// Returns the beginning and the end of a long output: a terminal can't show megabytes. A line break is the best place
// to cut.
std::string shortened(const std::string& output) {
  constexpr std::size_t kHalf = std::size_t{32} << 10;
  if (output.size() <= 2 * kHalf) return output;
  const auto after_line = [&](std::size_t most) {
    const std::size_t at = output.rfind('\n', most);
    return at == std::string::npos || at < most - kHalf / 2 ? most : at + 1;
  };
  const std::size_t head = after_line(kHalf - 1);
  const std::size_t tail = after_line(output.size() - kHalf);
  return fmt::format("{}\n[... {} left out here ...]\n{}", std::string_view{output}.substr(0, head),
                     base::format_bytes(tail - head), std::string_view{output}.substr(tail));
}

}  // namespace

// The result of the command on the whole model.
struct CheckCommand::OnWhole {
  bool ran = false;      // false if the command doesn't name its file
  std::string refused;   // as in CheckRun
  std::string unusable;  // as in CheckRun
};

// What a check has learned and shown; shared by its copies.
struct CheckCommand::Memory {
  std::mutex mutex;
  std::optional<OnWhole> on_whole;
  std::set<std::size_t> shown;  // hashes of the outputs of failing checks
  bool has_run = false;
};

CommandRunner process_runner() {
  return [](const worker::Command& command, const worker::Limits& limits, const base::Stop& stop) {
    return worker::run(command, limits, stop).map([](worker::Outcome<worker::Exited> outcome) {
      return CheckRun{.outcome = std::move(outcome)};
    });
  };
}

CheckCommand::CheckCommand(CheckSetup setup, OutcomeRules judge, CommandRunner runner, base::Log& log)
    : setup_(std::move(setup)),
      judge_(std::move(judge)),
      runner_(std::move(runner)),
      log_(&log),
      memory_(std::make_shared<Memory>()) {}

base::Expected<CheckCommand> CheckCommand::make(CheckSetup setup, CommandRunner runner, base::Log& log) {
  ASSAY_ASSIGN(OutcomeRules judge, OutcomeRules::make(setup.rules));
  return CheckCommand(std::move(setup), std::move(judge), std::move(runner), log);
}

base::Expected<Verdict> CheckCommand::run(const std::filesystem::path& model, const base::Stop& stop) const {
  const worker::Command command = model.empty()
                                      ? worker::Command{.argv = setup_.command, .environment = {}, .folder = {}}
                                      : command_for(setup_.command, setup_.artifact, model);
  const auto start = std::chrono::steady_clock::now();
  ASSAY_ASSIGN(CheckRun run, runner_(command, setup_.limits, stop));
  worker::Outcome<worker::Exited>& outcome = run.outcome;
  const double seconds = base::seconds_since(start);
  rename_file(outcome, model.filename().string(), setup_.artifact.filename().string());
  ASSAY_ASSIGN(Verdict verdict, judge_.judge(outcome));
  verdict.seconds = seconds;
  if (!run.unusable.empty()) {
    ASSAY_ASSIGN(OnWhole whole, on_whole(stop));
    if (model.empty() && is_first_run()) whole.unusable = run.unusable;
    if (!whole.unusable.empty()) {
      return base::fail(base::ErrorKind::invalid_input, "the check can't judge any model: " + whole.unusable);
    }
    set_aside(verdict, Verdict::Cause::check, "the check can't judge it: " + run.unusable);
  }
  if (!run.refused.empty() && setup_.whole_fails && verdict.kind != Verdict::Kind::unresolved) {
    ASSAY_ASSIGN(const OnWhole whole, on_whole(stop));
    if (whole.ran && whole.refused != run.refused) {
      set_aside(verdict, Verdict::Cause::engine,
                run.refused + " can't load or run it, which isn't how the whole model fails");
    }
  }
  show(verdict, outcome);
  ASSAY_TRY(check_first(verdict, outcome));
  return verdict;
}

bool CheckCommand::is_first_run() const {
  const std::lock_guard lock(memory_->mutex);
  return !memory_->has_run;
}

base::Status CheckCommand::check_first(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const {
  {
    const std::lock_guard lock(memory_->mutex);
    if (std::exchange(memory_->has_run, true) || !setup_.is_first || !setup_.is_first()) return {};
  }
  const bool has_rules = !setup_.rules.fail_codes.empty() || !setup_.rules.patterns.empty();
  if (has_rules || !outcome || verdict.kind != Verdict::Kind::fails) return {};
  const auto unable = why_unable(outcome->code, outcome->output);
  if (!unable) return {};
  return base::fail(base::ErrorKind::invalid_input, "the check can't run: " + unable->why, "--check", unable->fix);
}

base::Expected<CheckCommand::OnWhole> CheckCommand::on_whole(const base::Stop& stop) const {
  const std::lock_guard lock(memory_->mutex);
  if (!memory_->on_whole) {
    std::optional<worker::Command> command;
    if (!setup_.whole.empty()) command = command_for_whole(setup_.command, setup_.artifact, setup_.whole);
    OnWhole whole;
    if (command) {
      ASSAY_ASSIGN(CheckRun run, runner_(*command, setup_.limits, stop));
      if (!run.outcome && std::holds_alternative<worker::Stopped>(run.outcome.error())) {
        return base::fail(base::ErrorKind::interrupted, "stopped while a check was running");
      }
      whole = {.ran = true, .refused = std::move(run.refused), .unusable = std::move(run.unusable)};
    }
    memory_->on_whole = std::move(whole);
  }
  return *memory_->on_whole;
}

void CheckCommand::show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const {
  using Show = CheckSetup::Show;
  const bool failed = verdict.kind == Verdict::Kind::fails;
  if (setup_.show_output == Show::never || (setup_.show_output == Show::failures && !failed)) return;
  const std::string output = output_of(outcome);
  if (output.empty()) return;
  if (setup_.show_output == Show::failures) {
    const std::size_t hash = std::hash<std::string>()(without_numbers(output));
    const std::lock_guard lock(memory_->mutex);
    if (!memory_->shown.insert(hash).second) return;
  }
  log_->log(failed ? base::Level::error : base::Level::info, "Output of the check:\n{}",
            setup_.show_output == Show::always ? output : shortened(output));
}

}  // namespace assay::reduce
