// `assay debug build`: builds an engine again and again, and sorts good ones from bad ones by a check.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "blame/build_engine.h"
#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_iteration.h"
#include "cli/checks/repeat_check.h"
#include "cli/commands/make_commands.h"
#include "cli/options/check_paths.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/iteration_options.h"
#include "cli/options/model_options.h"
#include "cli/steps/calibration_data.h"
#include "reduce/candidates/scratch_files.h"

namespace assay::cli {
namespace {

class DebugBuild final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  // Returns the engine to build, as the only element.
  [[nodiscard]] base::Expected<std::vector<run::EngineSetup>> engines(Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  IterationOptions iterations_;
  FormatOption format_;
  DataLoaderOptions loader_;
};

using base::ErrorKind;
using base::fail;

}  // namespace

void DebugBuild::add_options(CLI::App& app) {
  model_.add_to(app, {.input_shapes = true, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  engines_.add_to(app);
  engines_.use_by_default(*backend::find_engine_row("tensorrt"));  // Polygraphy's command builds nothing else
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = "polygraphy_debug.onnx", .until = true});
  format_.add_to(app);
  app.get_option("--iter-artifact")
      ->default_str("polygraphy_debug.engine, or polygraphy_debug.onnx with other engines");
  loader_.add_to(app);
  engines_.add_tensorrt_to(app, tensorrt::build_settings());
}

base::Expected<std::vector<run::EngineSetup>> DebugBuild::engines(Context& context) const {
  auto setups = engines_.setups(context.installation);
  if (!setups && setups.error().kind == ErrorKind::unsupported) {  // there is no worker for the default, TensorRT
    setups.error().fix += ". Or give another engine, --onnxrt or --openvino";
  }
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, std::move(setups));
  const std::string fix = "Give one engine, --onnxrt, --openvino or --trt";
  if (engines.size() != 1) {
    return fail(ErrorKind::invalid_input, fmt::format("{} engines are given, but one is built", engines.size()), {},
                fix);
  }
  if (!backend::find_engine_row(engines.front().spec.kind)->saves_built) {
    return fail(ErrorKind::unsupported, "this engine builds nothing that could be saved", engines.front().engine, fix);
  }
  ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
  return engines;
}

base::Expected<int> DebugBuild::run(Context& context) {
  ASSAY_TRY(iterations_.check());
  ASSAY_TRY(format_.check_judge(check_.has_command()));
  ASSAY_ASSIGN(auto engines, this->engines(context));
  ASSAY_TRY(model_.check_runnable(only_tensorrt(engines) ? ModelOptions::Takes::scripts : ModelOptions::Takes::onnx));
  const std::filesystem::path artifact =
      only_tensorrt(engines) ? iterations_.engine_artifact() : iterations_.iter_artifact();
  ASSAY_TRY(check_paths({{"--iter-artifact", artifact.string()},
                         {"--save-debug-replay", iterations_.save_replay().string()},
                         {"--iter-info", iterations_.info()}},
                        {{"the model", model_.file()}}));
  ASSAY_ASSIGN(const worker::ModelSource model, model_.engine_source(context.log));
  ASSAY_ASSIGN(const reduce::FileJudge check, judge_iteration(check_, context, "'" + artifact.string() + "'"));
  ASSAY_ASSIGN(const auto scratch, reduce::ScratchFiles::claim(artifact, context.log));
  ASSAY_TRY(scratch->add(artifact));
  if (iterations_.keeps_iter_artifact()) scratch->keep();
  // No worker is kept: a new process builds each engine, as a user's program would.
  worker::Pool pool({.worker_dir = context.installation.libexec, .max_idle = 0}, context.stop);
  ASSAY_ASSIGN(const auto calibration_data, save_calibration_data(engines, model_, loader_, context));
  const auto build_and_check = [&]() -> base::Expected<reduce::Verdict> {
    if (const base::Status built = blame::build_engine(engines.front(), model, artifact, pool, context.log); !built) {
      if (built.error().kind != ErrorKind::engine) return fail(built.error());
      return reduce::Verdict{.kind = reduce::Verdict::Kind::fails, .text = built.error().message()};
    }
    return check();
  };
  return repeat_check(iterations_, format_, build_and_check, context);
}

std::unique_ptr<Command> make_debug_build() {
  return std::make_unique<DebugBuild>();
}

}  // namespace assay::cli
