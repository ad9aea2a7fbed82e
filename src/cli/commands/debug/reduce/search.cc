#include "cli/commands/debug/reduce/search.h"

namespace assay::cli {

base::Expected<reduce::Reduction> run(const Search& search, const Context& context) {
  reduce::FailureFilter& filter = search.filter;
  reduce::FileJudge judge_file;
  if (search.task.is_as_in_file && search.judges.can_judge_original()) {
    judge_file = [&] { return search.judges.judge_original(); };
  }
  return reduce::reduce_model(
      search.task.model, search.options,
      {.explore = {
           .judges = search.judges,
           .journal = search.journal,
           .iterations = search.iterations,
           .log = context.log,
           .stop = context.stop,
           .classify = [&](reduce::Verdict& verdict, const auto& candidate) { filter.classify(verdict, candidate); },
           .show_progress = search.show_progress,
           .is_other = [&](const reduce::Verdict& verdict) { return filter.is_other(verdict); }},
       .reference = search.reference,
       .judge_file = judge_file,
       .values = search.values,
       .keeps_values = [&] { return search.task.check.saved.has_value() && filter.may_be_difference(); }});
}

}  // namespace assay::cli
