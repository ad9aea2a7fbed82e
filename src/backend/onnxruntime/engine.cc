// Memory for the outputs of the first run is allocated while the model loads (memory.h), and outputs with known sizes
// are written directly into it (outputs.h). If a run then fails because an output has another shape than declared, it
// is repeated without that, and so are all later runs of the model.
#include "backend/onnxruntime/engine.h"

#include <chrono>
#include <optional>
#include <utility>

#include "backend/onnxruntime/external_data.h"
#include "backend/onnxruntime/library.h"
#include "backend/onnxruntime/optimizers.h"
#include "backend/onnxruntime/options.h"
#include "backend/onnxruntime/outputs.h"
#include "backend/onnxruntime/ports.h"
#include "backend/onnxruntime/providers.h"
#include "backend/onnxruntime/values.h"
#include "backend/serve/check_feeds.h"
#include "backend/serve/open_library.h"
#include "base/seconds.h"
#include "worker/is_tensor.h"

namespace assay::backend {
namespace {

using worker::Phase;

constexpr const char* kExternalDataDir = "session.model_external_initializers_file_folder_path";
constexpr std::uint32_t kExternalDataDirSince = 21;

// Adds room for the alignment of outputs. place_outputs() releases what isn't needed.
std::uint64_t with_spare(std::uint64_t bytes) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(bytes, bytes / 16, &sum) ? 0 : sum;
}

// A single call reads and builds a model; the error code shows which of the two failed.
Phase phase_of(int code) {
  const bool loading =
      code == ORT_NO_SUCHFILE || code == ORT_NO_MODEL || code == ORT_INVALID_PROTOBUF || code == ORT_INVALID_GRAPH;
  return loading ? Phase::load : Phase::build;
}

class OnnxRuntimeEngine final : public EngineAdapter {
 public:
  Answer<std::string> open(const std::string& path, const std::map<std::string, std::string>& options) override {
    ASSAY_ASSIGN(options_, parse_onnxruntime_options(options));
    ASSAY_ASSIGN(library_, OnnxRuntimeLibrary::open(path));
    ASSAY_ASSIGN(const std::vector<std::string> available, available_providers(*library_));
    ASSAY_ASSIGN(providers_, choose_providers(options_.providers, available));
    ASSAY_ASSIGN(provider_options_, options_by_provider(options_.provider_options, providers_));
    OrtEnv* env = nullptr;
    const auto level = static_cast<OrtLoggingLevel>(options_.log_severity);
    ASSAY_TRY(library_->check(api().CreateEnv(level, "assay", &env), Phase::start));
    env_ = Owned<OrtEnv>(env, api().ReleaseEnv);
    ASSAY_TRY(session_options());  // reports wrong options now instead of when a model is loaded
    return library_->version();
  }

  Answer<worker::SessionInfo> load(const worker::ModelSource& model) override {
    unload();
    const auto start = std::chrono::steady_clock::now();
    const auto* bytes = std::get_if<worker::ModelBytes>(&model);
    OutputMemory memory(bytes == nullptr ? 0 : with_spare(bytes->output_bytes));
    ASSAY_ASSIGN(const Owned<OrtSessionOptions> options, session_options());
    if (options_.report_optimizers) {
      optimizers_ = std::make_unique<OptimizerLog>(options_.log_severity);
      ASSAY_TRY(optimizers_->listen(*library_, options.get()));
    }
    if (bytes != nullptr && !bytes->external_data_dir.empty()) ASSAY_TRY(add_external_data(*bytes, options.get()));
    OrtSession* raw = nullptr;
    OrtStatus* status =
        bytes == nullptr
            ? api().CreateSession(env_.get(), std::get<worker::ModelFile>(model).path.c_str(), options.get(), &raw)
            : api().CreateSessionFromArray(env_.get(), bytes->bytes.bytes().data(), bytes->bytes.bytes().size(),
                                           options.get(), &raw);
    if (auto created = library_->check(status, Phase::build); !created) {
      created.error().failed.phase = phase_of(created.error().failed.code);
      return tl::make_unexpected(std::move(created).error());
    }
    session_ = Owned<OrtSession>(raw, api().ReleaseSession);
    ASSAY_ASSIGN(info_.inputs, session_inputs(*library_, *session_));
    ASSAY_ASSIGN(info_.outputs, session_outputs(*library_, *session_));
    ASSAY_ASSIGN(overridable_, session_overridable(*library_, *session_));
    info_.load_s = base::seconds_since(start);
    if (optimizers_) info_.optimizers = optimizers_->names();
    memory_ = std::move(memory);
    return info_;
  }

  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                    const std::vector<std::string>& wanted) override {
    ASSAY_TRY(check_feeds(feeds, info_.inputs, overridable_));
    ASSAY_ASSIGN(const std::vector<std::string> names, check_wanted(wanted, info_.outputs));
    std::vector<Owned<OrtValue>> inputs;
    std::vector<const OrtValue*> input_values;
    std::vector<const char*> input_names;
    for (const auto& [name, feed] : feeds) {
      ASSAY_ASSIGN(Owned<OrtValue> value, to_value(*library_, feed));
      input_values.push_back(value.get());
      input_names.push_back(name.c_str());
      inputs.push_back(std::move(value));
    }
    std::vector<const char*> output_names;
    for (const std::string& name : names) output_names.push_back(name.c_str());
    const Call call{input_names, input_values, output_names};
    PlacedOutputs placed;
    OutputMemory memory = std::exchange(memory_, {});
    if (!shapes_differ_) placed = place_outputs(*library_, names, info_, overridable_, std::move(memory));
    worker::InferResult result;
    auto outputs = run(call, placed, result.runtime_s);
    if (!outputs && placed.memory && may_be_wrong_shape(outputs.error())) {
      placed = {};
      outputs = run(call, placed, result.runtime_s);
      shapes_differ_ = outputs.has_value();
    }
    if (!outputs) return tl::make_unexpected(std::move(outputs).error());
    std::vector<std::shared_ptr<OrtValue>>& owned = *outputs;
    region_ = placed.memory.region();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (wanted.empty()) {
        ASSAY_ASSIGN(const bool has_value, holds_value(*library_, *owned[i]));
        if (!has_value || !is_tensor(info_.outputs[i])) continue;
      }
      ASSAY_ASSIGN(tensor::Tensor output, to_tensor(*library_, names[i], std::move(owned[i])));
      result.outputs.set(names[i], std::move(output));
    }
    return result;
  }

  std::shared_ptr<worker::SharedRegion> take_region() override { return std::exchange(region_, nullptr); }

  void unload() override {
    session_.reset();
    memory_ = {};
    external_files_.clear();
    info_ = {};
    shapes_differ_ = false;
  }

 private:
  struct Call {
    std::vector<const char*> input_names;
    std::vector<const OrtValue*> inputs;
    std::vector<const char*> output_names;
  };

  [[nodiscard]] const OrtApi& api() const { return library_->api(); }

  // Runs the model. Returns the placed values and those that ONNX Runtime has created.
  Answer<std::vector<std::shared_ptr<OrtValue>>> run(const Call& call, PlacedOutputs& placed, double& runtime_s) {
    std::vector<OrtValue*> outputs(call.output_names.size(), nullptr);
    for (std::size_t i = 0; i < placed.values.size(); ++i) outputs[i] = placed.values[i].release();
    const auto start = std::chrono::steady_clock::now();
    OrtStatus* status = api().Run(session_.get(), nullptr, call.input_names.data(), call.inputs.data(),
                                  call.inputs.size(), call.output_names.data(), outputs.size(), outputs.data());
    runtime_s = base::seconds_since(start);
    placed.memory.stop();
    std::vector<std::shared_ptr<OrtValue>> owned;
    for (OrtValue* value : outputs) owned.emplace_back(value, api().ReleaseValue);
    ASSAY_TRY(library_->check(status, Phase::run));
    return owned;
  }

  Answer<Owned<OrtSessionOptions>> session_options() {
    OrtSessionOptions* raw = nullptr;
    ASSAY_TRY(library_->check(api().CreateSessionOptions(&raw), Phase::start));
    Owned<OrtSessionOptions> options(raw, api().ReleaseSessionOptions);
    const auto level = static_cast<GraphOptimizationLevel>(options_.graph_optimization_level);
    ASSAY_TRY(library_->check(api().SetSessionGraphOptimizationLevel(raw, level), Phase::start));
    ASSAY_TRY(library_->check(api().SetIntraOpNumThreads(raw, options_.intra_op_threads), Phase::start));
    ASSAY_TRY(library_->check(api().SetInterOpNumThreads(raw, options_.inter_op_threads), Phase::start));
    ASSAY_TRY(library_->check(api().SetSessionLogSeverityLevel(raw, options_.log_severity), Phase::start));
    for (const auto& [key, value] : options_.config) {
      ASSAY_TRY(
          name_option("--session-config " + key + "=" + value,
                      library_->check(api().AddSessionConfigEntry(raw, key.c_str(), value.c_str()), Phase::start)));
    }
    for (const std::filesystem::path& library : options_.custom_ops) {
      ASSAY_TRY(check_library(library));
      ASSAY_TRY(name_option("--custom-ops",
                            library_->check(api().RegisterCustomOpsLibrary_V2(raw, library.c_str()), Phase::start)));
    }
    if (!options_.save_built.empty()) {
      ASSAY_TRY(library_->check(api().SetOptimizedModelFilePath(raw, options_.save_built.c_str()), Phase::start));
    }
    ASSAY_TRY(name_option("--providers", append_providers(*library_, providers_, provider_options_, raw)));
    return options;
  }

  Answer<void> add_external_data(const worker::ModelBytes& model, OrtSessionOptions* options) {
    if (library_->minor() < kExternalDataDirSince) {
      return external_files_.add(*library_, model.bytes.view(), model.external_data_dir, options);
    }
    return library_->check(api().AddSessionConfigEntry(options, kExternalDataDir, model.external_data_dir.c_str()),
                           Phase::load);
  }

  OnnxRuntimeOptions options_;
  std::optional<OnnxRuntimeLibrary> library_;
  std::vector<std::string> providers_;
  std::map<std::string, ProviderOptions> provider_options_;
  Owned<OrtEnv> env_{nullptr, nullptr};
  ExternalFiles external_files_;              // must outlive the session
  std::unique_ptr<OptimizerLog> optimizers_;  // must outlive the session; null: not asked for
  Owned<OrtSession> session_{nullptr, nullptr};
  worker::SessionInfo info_;
  std::vector<worker::Port> overridable_;
  OutputMemory memory_;                           // for the outputs of the first run
  std::shared_ptr<worker::SharedRegion> region_;  // with the outputs of the last run
  bool shapes_differ_ = false;                    // an output has another shape than the model declares
};

}  // namespace

std::unique_ptr<EngineAdapter> make_onnxruntime_engine() {
  return std::make_unique<OnnxRuntimeEngine>();
}

}  // namespace assay::backend
