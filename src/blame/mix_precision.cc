// An engine judges by its outputs, which are compared with those of the model in float32; a check judges files.
#include "blame/mix_precision.h"

#include <utility>

#include "base/counted.h"
#include "blame/measured_values.h"
#include "blame/output_judge.h"
#include "blame/precision_nodes.h"
#include "blame/quantized_nodes.h"
#include "run/layer_precisions.h"

namespace assay::blame {
namespace {

constexpr const char* kKept = "float32";

base::Expected<std::shared_ptr<const MixedModel>> make_models(MixTask& task, const MixContext& context) {
  if (task.quantized) {
    ASSAY_ASSIGN(auto nodes, QuantizedNodes::make(std::move(task.model), *std::move(task.quantized), task.engine,
                                                  task.quantized_name));
    context.log.info("The quantized model differs in {}", base::counted(nodes.candidates().size(), nodes.unit()));
    return std::make_shared<const QuantizedNodes>(std::move(nodes));
  }
  ASSAY_ASSIGN(auto nodes, PrecisionNodes::make(std::move(task.model), task.engine, task.name));
  context.log.info("{} of the model can run in float16", base::counted(nodes.candidates().size(), nodes.unit()));
  if (task.engine) ASSAY_TRY(check_rounding(*task.engine, context.pool));
  return std::make_shared<const PrecisionNodes>(std::move(nodes));
}

}  // namespace

base::Status check_keeps_types(const run::EngineSetup& engine) {
  // Only TensorRT has such settings.
  if (!run::check_lower_precision(engine, kKept)) return {};
  return base::fail(base::ErrorKind::unsupported, "TensorRT would choose lower precisions for nodes in float32, too",
                    engine.engine, "Use --strongly-typed instead: TensorRT then computes in the types of the model");
}

base::Expected<MixAnswer> mix_precision(MixTask task, const MixContext& context) {
  if (task.engine) ASSAY_TRY(check_keeps_types(*task.engine));
  const bool to_float16 = !task.quantized;
  ASSAY_ASSIGN(const auto models, make_models(task, context));
  PrecisionSearch search{.options = task.options,
                         .largest = {},
                         .precision = kKept,
                         .model = std::move(task.name),
                         .quantized = to_float16 ? "" : std::move(task.quantized_name)};
  PrecisionJudge judge;
  if (task.engine) {
    ASSAY_ASSIGN(const auto reference, models->reference());
    ASSAY_ASSIGN(OutputJudge judging,
                 OutputJudge::make(reference.engine, reference.model,
                                   {std::move(task.plan), context.pool, context.log, context.stop}));
    const auto outputs = std::make_shared<const OutputJudge>(std::move(judging));
    if (to_float16) {
      search.largest =
          measured_values(models->whole(), *task.engine, outputs->first_inputs(), context.pool, context.log);
    }
    judge = judge_by_outputs(*models, outputs);
  } else {
    ASSAY_ASSIGN(judge, task.check(*models));
    if (to_float16) {
      ASSAY_ASSIGN(search.largest,
                   measured_values(models->whole(), task.plan.inputs, context.engines, context.pool, context.log));
    }
  }
  ASSAY_ASSIGN(PrecisionChoice choice,
               search_precision(*models, judge, search, task.iterations, context.log, context.stop));
  return MixAnswer{.models = models, .search = std::move(search), .choice = std::move(choice)};
}

}  // namespace assay::blame
