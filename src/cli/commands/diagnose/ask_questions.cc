#include "cli/commands/diagnose/ask_questions.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_cli.h"
#include "cli/terminal/line_buffer.h"
#include "cli/terminal/step_progress.h"

namespace assay::cli {

base::Expected<diagnose::State> ask_questions(const diagnose::Case& task, diagnose::State state,
                                              diagnose::DiagnoseOptions options, const Asker& asker) {
  StepProgress progress(asker.log, task.folder / "log.txt");
  DetailLog details(progress);
  options.step_begins = [&progress, then = std::move(options.step_begins)](const diagnose::StepRow& row) {
    progress.begin(row.question);
    if (then) then(row);
  };
  options.step_ends = [&progress, then = std::move(options.step_ends)](const diagnose::StepRow& row,
                                                                       const diagnose::Step& step) {
    progress.end(step);
    if (then) then(row, step);
  };
  options.assay = [&](const std::vector<std::string>& words, const base::Stop& stop) {
    LineBuffer lines([&](const std::string& line) { progress.detail(line); });
    std::ostream out(&lines);
    worker::Pool pool(asker.pool, stop);
    diagnose::CommandResult result;
    result.status = run_cli(words, {.out = out, .err = out, .error = &result.error, .page = &result.page},
                            asker.installation, pool, stop);
    return result;
  };
  return diagnose::diagnose(task, std::move(state), options, asker.pool, details, asker.stop);
}

}  // namespace assay::cli
