#include "cli/checks/judge_engine.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "backend/engine_table.h"
#include "blame/build_engine.h"
#include "cli/checks/judge_iteration.h"
#include "cli/options/compare_options.h"
#include "reduce/candidates/scratch_files.h"

namespace assay::cli {
namespace {

using Kind = reduce::Verdict::Kind;

// A verdict that is neither good nor bad says nothing about the engine.
base::Expected<blame::Agreement> to_agreement(const reduce::Verdict& verdict) {
  if (verdict.kind != Kind::passes && verdict.kind != Kind::fails) {
    return base::fail(base::ErrorKind::invalid_input, "the check can't judge this engine: " + verdict.text, "--check",
                      "Make the check exit with status 0 if the engine is good, and with another one if it is bad");
  }
  return blame::Agreement{.agrees = verdict.kind == Kind::passes,
                          .text = std::string(reduce::describe(verdict.kind)) + ": " + verdict.text,
                          .seconds = verdict.seconds};
}

}  // namespace

base::Status check_judge_options(const CheckOptions& check, const CLI::App& app) {
  constexpr std::array kOfOutputs = {std::string_view("Data Loader"), std::string_view(ComparisonOptions::kGroup)};
  constexpr std::string_view kOfCheck = "Pass/Fail Reporting";
  for (const CLI::Option* option : app.get_options()) {
    const auto begins = [&](std::string_view group) { return option->get_group().starts_with(group); };
    const bool of_outputs = std::ranges::any_of(kOfOutputs, begins) || option->check_name("--input-shapes");
    if (option->count() == 0 || !(check.has_command() ? of_outputs : begins(kOfCheck))) continue;
    return base::fail(base::ErrorKind::invalid_input,
                      check.has_command() ? "the check judges, so this option would have no effect"
                                          : "this option belongs to a check",
                      option->get_name(), check.has_command() ? "Leave it out" : "Add --check COMMAND");
  }
  return {};
}

base::Expected<blame::EngineJudge> judge_built_engines(const CheckOptions& check, const std::filesystem::path& artifact,
                                                       Context& context) {
  ASSAY_ASSIGN(const reduce::FileJudge judge, judge_iteration(check, context, "'" + artifact.string() + "'"));
  ASSAY_ASSIGN(std::shared_ptr<reduce::ScratchFiles> scratch, reduce::ScratchFiles::claim(artifact, context.log));
  ASSAY_TRY(scratch->add(artifact));
  return [judge, scratch, artifact, &pool = context.pool, &log = context.log](
             const run::EngineSetup& engine, const worker::ModelSource& model) -> base::Expected<blame::Agreement> {
    if (const base::Status built = blame::build_engine(engine, model, artifact, pool, log); !built) {
      if (built.error().kind != base::ErrorKind::engine) return base::fail(built.error());
      return blame::Agreement{.agrees = false, .text = built.error().message()};
    }
    ASSAY_ASSIGN(const reduce::Verdict verdict, judge());
    return to_agreement(verdict);
  };
}

blame::EngineJudge judge_libraries(const CheckOptions& check, Context& context) {
  return [&check, &context](const run::EngineSetup& engine,
                            const worker::ModelSource& /*model*/) -> base::Expected<blame::Agreement> {
    const std::string variable(backend::find_engine_row(engine.spec.kind)->library.variable);
    ASSAY_ASSIGN(const reduce::FileJudge judge,
                 judge_iteration(check, context, engine.engine, {{variable, engine.spec.library.string()}}));
    ASSAY_ASSIGN(const reduce::Verdict verdict, judge());
    return to_agreement(verdict);
  };
}

}  // namespace assay::cli
