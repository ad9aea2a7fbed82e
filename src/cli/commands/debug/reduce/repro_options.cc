#include "cli/commands/debug/reduce/repro_options.h"

#include <utility>

#include "base/shell_text.h"
#include "cli/commands/run/run_settings.h"
#include "report/machine.h"
#include "report/repro.h"
#include "report/repro_plan.h"
#include "report/run_repro_plan.h"

namespace assay::cli {
namespace {

base::Expected<report::ReproPlan> make_plan(const ReproOptions::Failing& failing, Context& context) {
  auto settings = settings_of_run(failing.check, context);
  const backend::EngineSearch& search = context.installation.engines;
  if (settings && !settings->engines.empty()) {
    return report::plan_of_run(*std::move(settings), failing.model, search, context.log);
  }
  return report::plan_of_unknown_check(failing.given, failing.model, search, context.log);
}

}  // namespace

void ReproOptions::add_to(CLI::App& app) {
  app.add_option(
         "--repro", folder_,
         "Write a bug report to this folder, which must be new or empty: the model, inputs, outputs, versions, and "
         "programs in Python and C++ that show the failure with the API of the engine at fault, ONNX Runtime or "
         "OpenVINO")
      ->option_text("FOLDER");
}

base::Status ReproOptions::check(bool resumes) const {
  return given() ? report::check_repro_folder(folder_, resumes) : base::Status();
}

base::Status ReproOptions::save(const Failing& failing, Context& context) const {
  ASSAY_ASSIGN(report::ReproPlan plan, make_plan(failing, context));
  report::ReproInput input{.model = failing.model, .verbatim = failing.verbatim};
  input.versions = {{"Assay", ASSAY_VERSION}, {"ONNX (the library in Assay)", ASSAY_ONNX_VERSION}};
  ASSAY_TRY(report::run_plan(std::move(plan), context.pool, input));
  for (auto& fact : report::describe_machine()) input.versions.push_back(std::move(fact));
  input.check = base::shell_text(failing.check);
  input.commands = failing.commands;
  input.ending = failing.verdict.text;
  input.output = failing.verdict.output;
  input.summary = failing.summary;
  ASSAY_TRY(report::write_repro(folder_, input));
  context.log.info("Wrote the bug report to {}", folder_);
  return {};
}

}  // namespace assay::cli
