// `assay debug repeat`: runs a check repeatedly and sorts the files that it writes.
#include <memory>

#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_iteration.h"
#include "cli/checks/repeat_check.h"
#include "cli/commands/make_commands.h"
#include "cli/options/iteration_options.h"

namespace assay::cli {
namespace {

class DebugRepeat final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  IterationOptions iterations_;
};

}  // namespace

void DebugRepeat::add_options(CLI::App& app) {
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = {}, .until = true});
}

base::Expected<int> DebugRepeat::run(Context& context) {
  ASSAY_TRY(iterations_.check());
  ASSAY_ASSIGN(const reduce::FileJudge judge, judge_iteration(check_, context, "this iteration"));
  return repeat_check(iterations_, judge, context);
}

std::unique_ptr<Command> make_debug_repeat() {
  return std::make_unique<DebugRepeat>();
}

}  // namespace assay::cli
