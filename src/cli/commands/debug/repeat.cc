// `assay debug repeat`: runs a check repeatedly and sorts the files that it writes.
#include <memory>

#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_iteration.h"
#include "cli/checks/repeat_check.h"
#include "cli/commands/make_commands.h"
#include "cli/options/format_option.h"
#include "cli/options/iteration_options.h"

namespace assay::cli {
namespace {

class DebugRepeat final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  IterationOptions iterations_;
  FormatOption format_;
};

}  // namespace

void DebugRepeat::add_options(CLI::App& app) {
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = {}, .until = true});
  format_.add_to(app);
}

base::Expected<int> DebugRepeat::run(Context& context) {
  ASSAY_TRY(iterations_.check());
  ASSAY_TRY(format_.check_judge(check_.has_command()));
  ASSAY_ASSIGN(const reduce::FileJudge judge, judge_iteration(check_, context, "this iteration"));
  return repeat_check(iterations_, format_, judge, context);
}

std::unique_ptr<Command> make_debug_repeat() {
  return std::make_unique<DebugRepeat>();
}

}  // namespace assay::cli
