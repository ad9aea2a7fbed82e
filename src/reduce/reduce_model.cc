#include "reduce/reduce_model.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/counted.h"
#include "base/seconds.h"
#include "reduce/reducer.h"
#include "reduce/search/last_look.h"
#include "reduce/stages.h"

namespace assay::reduce {
namespace {

using StopReason = Reduction::StopReason;

base::Status run_stages(Reducer& reducer) {
  State state;
  for (const Stage stage : stages_of(reducer.options().mode)) {
    ASSAY_ASSIGN(state, stage(reducer, std::move(state)));
    if (reducer.result().verbatim || !reducer.has_result()) break;
  }
  return {};
}

// The stages ended without an error, but nothing failed: a limit ended them before they had tried everything.
base::Error describe_limit(const Reducer& reducer) {
  const int checks = reducer.options().limits.max_checks.value_or(0);
  return {base::ErrorKind::invalid_input,
          fmt::format("the model didn't fail in the {} that --max-checks allows", base::counted(checks, "check")),
          reducer.model()->path.string(),
          "A model that passes is also tried in other forms, for example with Constant nodes kept as nodes. Increase "
          "--max-checks"};
}

StopReason stop_reason_of(const Reducer& reducer, const base::Status& status) {
  if (reducer.result().verbatim) return StopReason::unchanged;
  if (reducer.limit_reached() == LimitReached::few_nodes) return StopReason::few_nodes;
  if (reducer.limit_reached() == LimitReached::checks) return StopReason::checks;
  if (!status) return StopReason::stopped;
  if (reducer.options().mode != Mode::minimal) return StopReason::between_ends;
  return reducer.skips(kVerify) ? StopReason::skipped : StopReason::minimal;
}

void fill(Reduction& result, const Reducer& reducer) {
  result.passes = reducer.explorer().passes();
  result.counts = reducer.explorer().counts();
  result.counts.ahead = reducer.explorer().count_ahead();
  result.confirmation = reducer.runs().verdicts_on(reducer.best().model);
  if (result.verbatim) {
    result.model = reducer.model();
    result.nodes_after = result.nodes_before;
    return;
  }
  // Candidates share messages with the model that they came from. The results don't.
  result.model = std::make_shared<const model::Model>(*reducer.best().model);
  result.verdict = reducer.best().verdict;
  result.nodes_after = reducer.best().nodes;
  if (const SharedModel passing = reducer.explorer().nearest_passing().model) {
    result.passing = std::make_shared<const model::Model>(*passing);
  }
}

}  // namespace

base::Expected<Reduction> reduce_model(SharedModel model, const ReduceOptions& options, const ReduceParts& parts) {
  const auto start = std::chrono::steady_clock::now();
  Reducer reducer(std::move(model), options, parts);
  const base::Status status = run_stages(reducer);
  if (!reducer.has_result()) return base::fail(status ? describe_limit(reducer) : status.error());
  Reduction& result = reducer.result();
  if (!status && status.error().kind != base::ErrorKind::interrupted) result.error = status.error();
  result.stop_reason = stop_reason_of(reducer, status);
  fill(result, reducer);
  result.failure = signature_of(result.verdict);
  result.seconds = base::seconds_since(start);
  return std::move(result);
}

}  // namespace assay::reduce
