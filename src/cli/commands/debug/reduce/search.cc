#include "cli/commands/debug/reduce/search.h"

namespace assay::cli {

base::Expected<reduce::Reduction> run(const Search& search, const Context& context) {
  reduce::FileJudge judge_file;
  if (search.task.is_as_in_file && search.judges.can_judge_original()) {
    judge_file = [&] { return search.judges.judge_original(); };
  }
  return reduce::reduce_model(
      search.task.model, search.options,
      {.explore = {.judges = search.judges,
                   .journal = search.journal,
                   .iterations = search.iterations,
                   .log = context.log,
                   .stop = context.stop,
                   .filter = &search.filter,
                   .show_progress = search.show_progress},
       .reference = search.reference,
       .judge_file = judge_file,
       .values = search.values,
       .keeps_values = [&] { return search.task.check.saved.has_value() && search.filter.may_be_difference(); }});
}

}  // namespace assay::cli
