#include "reduce/check_command.h"

#include <chrono>
#include <utility>

namespace assay::reduce {

CommandRunner process_runner(const base::Stop& stop) {
  return [&stop](const worker::Command& command, const worker::Limits& limits) {
    return worker::run(command, limits, stop);
  };
}

CheckCommand::CheckCommand(CheckOptions options, Judge judge, CommandRunner runner, base::Log& log)
    : options_(std::move(options)), judge_(std::move(judge)), runner_(std::move(runner)), log_(&log) {}

base::Expected<CheckCommand> CheckCommand::make(CheckOptions options, CommandRunner runner, base::Log& log) {
  ASSAY_ASSIGN(Judge judge, Judge::make(options.rules));
  return CheckCommand(std::move(options), std::move(judge), std::move(runner), log);
}

base::Expected<Verdict> CheckCommand::run() {
  const auto start = std::chrono::steady_clock::now();
  ASSAY_ASSIGN(const worker::Outcome<worker::Exited> outcome,
               runner_({.argv = options_.command, .environment = {}, .folder = {}}, options_.limits));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSAY_ASSIGN(Verdict verdict, judge_.judge(outcome));
  verdict.seconds = took.count();
  show(verdict, outcome);
  return verdict;
}

void CheckCommand::show(const Verdict& verdict, const worker::Outcome<worker::Exited>& outcome) {
  using Show = CheckOptions::Show;
  const bool failed = verdict.kind == Verdict::Kind::fails;
  if (options_.show_output == Show::never || (options_.show_output == Show::failures && !failed)) return;
  const std::string output = output_of(outcome);
  if (output.empty()) return;
  log_->log(failed ? base::Level::error : base::Level::info, "Output of the check:\n{}", output);
}

}  // namespace assay::reduce
