#include "reduce/check_command.h"

#include <chrono>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "reduce/command_for.h"

namespace assay::reduce {

namespace {

// What the check says of its file is to be the same for every file that it is given: verdicts are told apart by it.
void call_it(worker::Outcome<worker::Exited>& outcome, const std::string& name, const std::string& called) {
  if (name == called || name.empty()) return;
  std::string* output = outcome ? &outcome->output : nullptr;
  if (!outcome) {
    if (auto* crashed = std::get_if<worker::Crashed>(&outcome.error())) output = &crashed->last_output;
  }
  if (output != nullptr) *output = base::replace_all(*output, name, called);
}

}  // namespace

CommandRunner process_runner() {
  return [](const worker::Command& command, const worker::Limits& limits, const base::Stop& stop) {
    return worker::run(command, limits, stop);
  };
}

CheckCommand::CheckCommand(CheckOptions options, Judge judge, CommandRunner runner, base::Log& log)
    : options_(std::move(options)), judge_(std::move(judge)), runner_(std::move(runner)), log_(&log) {}

base::Expected<CheckCommand> CheckCommand::make(CheckOptions options, CommandRunner runner, base::Log& log) {
  ASSAY_ASSIGN(Judge judge, Judge::make(options.rules));
  return CheckCommand(std::move(options), std::move(judge), std::move(runner), log);
}

base::Expected<Verdict> CheckCommand::run(const std::filesystem::path& model, const base::Stop& stop) const {
  const worker::Command command = model.empty()
                                      ? worker::Command{.argv = options_.command, .environment = {}, .folder = {}}
                                      : command_for(options_.command, options_.artifact, model);
  const auto start = std::chrono::steady_clock::now();
  ASSAY_ASSIGN(worker::Outcome<worker::Exited> outcome, runner_(command, options_.limits, stop));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  call_it(outcome, model.filename().string(), options_.artifact.filename().string());
  ASSAY_ASSIGN(Verdict verdict, judge_.judge(outcome));
  verdict.seconds = took.count();
  show(verdict, outcome);
  return verdict;
}

void CheckCommand::show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) const {
  using Show = CheckOptions::Show;
  const bool failed = verdict.kind == Verdict::Kind::fails;
  if (options_.show_output == Show::never || (options_.show_output == Show::failures && !failed)) return;
  const std::string output = output_of(outcome);
  if (output.empty()) return;
  log_->log(failed ? base::Level::error : base::Level::info, "Output of the check:\n{}", output);
}

}  // namespace assay::reduce
