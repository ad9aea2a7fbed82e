#include "backend/tensorrt/sdk/open_engine.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "backend/tensorrt/sdk/dla_core.h"
#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/load_plugins.h"
#include "backend/tensorrt/sdk/refit_engine.h"
#include "tensorrt/engine_header.h"

namespace assay::backend {
namespace {

using tensorrt::StreamingBudget;
using worker::Phase;

Answer<void> set_streaming(const StreamingBudget& plan, const OpenedEngine& opened, TensorRtSdk& sdk) {
  if (plan.kind == StreamingBudget::Kind::all) return {};  // TensorRT's default, which every engine has
#if ASSAY_TENSORRT_SINCE_10(1)
  ASSAY_TRY(opened.needs({10, 1}, "--weight-streaming-budget"));
  nvinfer1::ICudaEngine& engine = *opened.engine;
  const std::int64_t streamable = engine.getStreamableWeightsSize();
  if (streamable == 0) {
    return refuse(Phase::load, 0,
                  "--weight-streaming-budget: the engine can't stream weights. Build it with --weight-streaming and "
                  "--strongly-typed");
  }
  std::int64_t budget = streamable;
  if (plan.kind == StreamingBudget::Kind::automatic) budget = engine.getWeightStreamingAutomaticBudget();
  if (plan.kind == StreamingBudget::Kind::bytes) budget = static_cast<std::int64_t>(plan.value);
  if (plan.kind == StreamingBudget::Kind::percent) {
    budget = static_cast<std::int64_t>(plan.value / 100 * static_cast<double>(streamable));
  }
  sdk.logger.clear();
  if (engine.setWeightStreamingBudgetV2(budget)) return {};
  return tl::unexpected(
      sdk.logger.because(Phase::load, fmt::format("TensorRT doesn't accept a budget of {} bytes for weights", budget)));
#else
  (void)plan, (void)opened, (void)sdk;
  return refuse(Phase::load, 0, "--weight-streaming-budget: this worker was built with the headers of TensorRT 10.0");
#endif
}

// Returns the version of the TensorRT that runs the engine. A runtime that doesn't tell its version, which can be one
// that the engine contains, is taken for the oldest one of the library's major version.
tensorrt::Version version_of(const nvinfer1::ICudaEngine& engine, const TensorRtLibrary& library) {
  return TensorRtLibrary::version_that_made(&engine).value_or(tensorrt::Version{.major = library.version().major});
}

// Returns what can be wrong with an engine that TensorRT can't read, beyond TensorRT's own words; empty if nothing is
// known.
std::string reason_not_read(std::string_view engine, const tensorrt::EnginePlan& plan, tensorrt::Version own) {
  if (!tensorrt::is_engine(engine)) return ". The file isn't an engine of TensorRT, or is damaged";
  if (!plan.runtime.empty()) return ". A lean runtime only runs engines that were built with --version-compatible";
  const auto built = tensorrt::version_that_built(engine);
  if (!built || *built == own) return {};
  return fmt::format(
      ". TensorRT {} has built the engine, and this is TensorRT {}. Build it again{}", built->text(), own.text(),
      built->major == own.major ? ", or name the library of the version that built it with --trt-lib" : "");
}

// TensorRT may be unable to use CUDA although the driver has started, for example because it needs a newer driver. Then
// it logs an error and, unlike for a builder, returns a pointer that isn't null and not valid either: 0x238 in 10.15.
Answer<std::unique_ptr<nvinfer1::IRuntime>> make_runtime(TensorRtSdk& sdk) {
  sdk.logger.clear();
  auto* runtime = static_cast<nvinfer1::IRuntime*>(sdk.library.create_runtime(&sdk.logger, sdk.library.number()));
  if (runtime == nullptr || !sdk.logger.check(Phase::start)) return tl::unexpected(sdk.not_made("runtime"));
  return std::unique_ptr<nvinfer1::IRuntime>(runtime);
}

}  // namespace

Answer<void> OpenedEngine::needs(tensorrt::Version added, const std::string& what) const {
  if (is_since(added)) return {};
  return refuse(
      Phase::load, 0,
      fmt::format("{} needs TensorRT {} or later, and the engine is run by {}", what, added.release(), version.text()));
}

Answer<OpenedEngine> open_engine(std::string_view bytes, const tensorrt::EnginePlan& plan,
                                 const std::vector<std::string>& plugins, const worker::ModelSource* weights,
                                 TensorRtSdk& sdk) {
  OpenedEngine opened;
  ASSAY_ASSIGN(opened.runtime, make_runtime(sdk));
  nvinfer1::IRuntime* runtime = opened.runtime.get();
  if (!plan.runtime.empty()) {
    opened.lean_runtime.reset(runtime->loadRuntime(plan.runtime.c_str()));
    runtime = opened.lean_runtime.get();
    if (runtime == nullptr) {
      return tl::unexpected(
          sdk.logger.refused(Phase::load, fmt::format("TensorRT can't load the runtime {}", plan.runtime)));
    }
  }
  ASSAY_TRY(plan.runtime.empty() ? load_plugins(plugins, sdk) : load_lean_plugins(plugins, *runtime, sdk));
  if (plan.dla_core) {
    ASSAY_TRY(check_dla_core(*plan.dla_core, runtime->getNbDLACores(), Phase::load));
    runtime->setDLACore(*plan.dla_core);
  }
  sdk.logger.clear();
  runtime->setEngineHostCodeAllowed(true);  // version-compatible engines contain their runtime
  opened.engine.reset(runtime->deserializeCudaEngine(bytes.data(), bytes.size()));
  if (opened.engine == nullptr) {
    worker::Refused refused = sdk.logger.refused(Phase::load, "TensorRT can't read the engine");
    refused.failed.message += reason_not_read(bytes, plan, sdk.library.version());
    return tl::unexpected(std::move(refused));
  }
  opened.version = version_of(*opened.engine, sdk.library);
  if (weights != nullptr) ASSAY_TRY(refit_engine(*weights, *opened.engine, sdk));
  if (plan.streaming) ASSAY_TRY(set_streaming(*plan.streaming, opened, sdk));
  return opened;
}

Answer<void> create_context(const tensorrt::EnginePlan& plan, OpenedEngine& opened, TensorRtSdk& sdk) {
  sdk.logger.clear();
  using Strategy = nvinfer1::ExecutionContextAllocationStrategy;
  const bool has_own_memory = plan.allocation == tensorrt::Allocation::once;  // otherwise EngineRun allocates it
  opened.context.reset(
      opened.engine->createExecutionContext(has_own_memory ? Strategy::kSTATIC : Strategy::kUSER_MANAGED));
  if (opened.context == nullptr) {
    return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT can't prepare the engine to run"));
  }
  // Engines are built with details of their layers, and running them would then be slower.
  if (!plan.marks_layers) opened.context->setNvtxVerbosity(nvinfer1::ProfilingVerbosity::kNONE);
  return {};
}

}  // namespace assay::backend
