#include "cli/checks/repeat_check.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "cli/context/print_json.h"
#include "reduce/verdicts/iterations.h"

namespace assay::cli {
namespace {

using Kind = reduce::Verdict::Kind;
using Json = nlohmann::ordered_json;

// A verdict in the log and in JSON.
struct VerdictWords {
  std::string_view log;
  std::string_view json;
};

VerdictWords words_for(Kind kind) {
  switch (kind) {
    case Kind::passes:
      return {"passed", "passed"};
    case Kind::fails:
      return {"FAILED", "failed"};
    case Kind::unresolved:
      break;
  }
  return {"could not be judged", "unresolved"};
}

// The iterations so far.
class Outcome {
 public:
  explicit Outcome(const FormatOption& format) : format_(format) {}

  void add(reduce::Verdict verdict) {
    if (!format_.json()) verdict.output.clear();  // only JSON has it
    verdicts_.push_back(std::move(verdict));
  }
  [[nodiscard]] int size() const { return static_cast<int>(verdicts_.size()); }

  // `stopped`: an error or Ctrl-C ended them.
  void sum_up(bool stopped, Context& context) const {
    const auto unresolved = count(Kind::unresolved);
    context.log.info("{}: {} passed, {} failed{}", base::counted(size(), "iteration"), count(Kind::passes),
                     count(Kind::fails), unresolved == 0 ? "" : fmt::format(", {} could not be judged", unresolved));
    if (format_.json()) print_json(json(stopped), context);
  }

 private:
  [[nodiscard]] std::ptrdiff_t count(Kind kind) const {
    return std::ranges::count(verdicts_, kind, &reduce::Verdict::kind);
  }

  [[nodiscard]] Json json(bool stopped) const {
    Json iterations = Json::array();
    for (const reduce::Verdict& verdict : verdicts_) {
      iterations.push_back({{"verdict", words_for(verdict.kind).json},
                            {"text", verdict.text},
                            {"output", verdict.output},
                            {"seconds", verdict.seconds}});
    }
    return {{"stopped", stopped},
            {"passed", count(Kind::passes)},
            {"failed", count(Kind::fails)},
            {"unresolved", count(Kind::unresolved)},
            {"iterations", std::move(iterations)}};
  }

  const FormatOption& format_;
  std::vector<reduce::Verdict> verdicts_;
};

}  // namespace

base::Expected<int> repeat_check(const IterationOptions& options, const FormatOption& format,
                                 const reduce::FileJudge& judge, Context& context) {
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(options.setup(), std::chrono::system_clock::now(), context.log));
  if (!options.has_artifacts())
    context.log.warning("No files are kept from the iterations; give --artifacts to keep some");

  Outcome outcome(format);
  for (bool ends = false; !ends;) {
    base::Expected<reduce::Verdict> verdict = base::fail(base::ErrorKind::interrupted, "stopped");
    const int number = outcome.size();
    if (!context.stop.requested()) verdict = iterations.run({.number = number, .phase = {}}, std::nullopt, judge);
    if (!verdict) {
      if (number > 0) outcome.sum_up(true, context);
      return base::fail(std::move(verdict).error());
    }
    context.log.info("Iteration {}: {}: {} ({:.2f} s)", number + 1, words_for(verdict->kind).log, verdict->text,
                     verdict->seconds);
    ends = options.ends_after(number + 1, verdict->kind);
    outcome.add(*std::move(verdict));
  }
  outcome.sum_up(false, context);
  return kExitPassed;
}

}  // namespace assay::cli
