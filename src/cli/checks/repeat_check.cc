#include "cli/checks/repeat_check.h"

#include <chrono>
#include <optional>
#include <string_view>

#include "base/counted.h"
#include "reduce/verdicts/iterations.h"

namespace assay::cli {
namespace {

using Kind = reduce::Verdict::Kind;

std::string_view word(Kind kind) {
  switch (kind) {
    case Kind::passes:
      return "passed";
    case Kind::fails:
      return "FAILED";
    case Kind::unresolved:
      break;
  }
  return "could not be judged";
}

}  // namespace

base::Expected<int> repeat_check(const IterationOptions& options, const reduce::FileJudge& judge, Context& context) {
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(options.setup(), std::chrono::system_clock::now(), context.log));
  if (!options.has_artifacts())
    context.log.warning("No files are kept from the iterations; give --artifacts to keep some");

  int done = 0;
  int failed = 0;
  int unresolved = 0;
  const auto sum_up = [&] {
    context.log.info("{}: {} passed, {} failed{}", base::counted(done, "iteration"), done - failed - unresolved, failed,
                     unresolved == 0 ? "" : fmt::format(", {} could not be judged", unresolved));
  };
  for (bool ends = false; !ends;) {
    base::Expected<reduce::Verdict> verdict = base::fail(base::ErrorKind::interrupted, "stopped");
    if (!context.stop.requested()) verdict = iterations.run({.number = done, .phase = {}}, std::nullopt, judge);
    if (!verdict) {
      if (done > 0) sum_up();
      return base::fail(std::move(verdict).error());
    }
    ++done;
    failed += verdict->kind == Kind::fails ? 1 : 0;
    unresolved += verdict->kind == Kind::unresolved ? 1 : 0;
    context.log.info("Iteration {}: {}: {} ({:.2f} s)", done, word(verdict->kind), verdict->text, verdict->seconds);
    ends = options.ends_after(done, verdict->kind);
  }
  sum_up();
  return kExitPassed;
}

}  // namespace assay::cli
