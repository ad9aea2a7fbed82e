// The driver is asked before TensorRT is opened. An ONNX model is built into an engine, which is then opened like one
// that was built before.
#include "backend/tensorrt/sdk/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "backend/serve/check_feeds.h"
#include "backend/tensorrt/build_by_script.h"
#include "backend/tensorrt/options.h"
#include "backend/tensorrt/sdk/apply_config.h"
#include "backend/tensorrt/sdk/ask_parser.h"
#include "backend/tensorrt/sdk/build_engine.h"
#include "backend/tensorrt/sdk/describe_network.h"
#include "backend/tensorrt/sdk/engine_layers.h"
#include "backend/tensorrt/sdk/model_bytes.h"
#include "backend/tensorrt/sdk/refit_engine.h"
#include "backend/tensorrt/sdk/run_engine.h"
#include "base/files.h"
#include "base/seconds.h"

namespace assay::backend {
namespace {

using worker::Phase;

// Returns the engine in the bytes of a file. Ultralytics writes what it knows of the model before it: a length in four
// bytes, and JSON of this length.
std::string_view engine_in(std::string_view bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof(size)) return bytes;
  std::memcpy(&size, bytes.data(), sizeof(size));
  const std::string_view rest = bytes.substr(sizeof(size));
  const bool begins_with_json = size > 1 && size < rest.size() && rest.front() == '{' && rest[size - 1] == '}';
  return begins_with_json ? rest.substr(size) : bytes;
}

class TensorRtEngine final : public EngineAdapter {
 public:
  Answer<std::string> open(const std::string& path, const std::map<std::string, std::string>& options) override {
    ASSAY_ASSIGN(options_, parse_tensorrt_options(options, NV_TENSORRT_MAJOR));
    ASSAY_ASSIGN(CudaDriver driver, CudaDriver::open(options_.device));
    ASSAY_ASSIGN(TensorRtLibrary library, TensorRtLibrary::open(path, NV_TENSORRT_MAJOR));
    sdk_ = std::make_unique<TensorRtSdk>(std::move(library), std::move(driver));
    return sdk_->library.version().text();
  }

  Answer<worker::SessionInfo> load(const worker::ModelSource& model) override {
    unload();
    const auto start = std::chrono::steady_clock::now();
    sdk_->logger.start_messages();
    sdk_->logger.add(base::Level::verbose, fmt::format("runs on {}; NVIDIA's driver supports CUDA {}",
                                                       sdk_->driver.device_name(), sdk_->driver.version()));
    ASSAY_TRY(open_model(model));
    info_.load_s = base::seconds_since(start);
    info_.messages = sdk_->logger.take_messages();
    return info_;
  }

  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                    const std::vector<std::string>& wanted) override {
    if (run_ == nullptr)
      return refuse(Phase::run, 0,
                    options_.only_builds ? "the engine was built, but not opened: load it to run it"
                                         : "no engine was prepared to run");
    ASSAY_TRY(check_feeds(feeds, info_.inputs, {}));
    ASSAY_ASSIGN(const std::vector<std::string> names, check_wanted(wanted, info_.outputs));
    auto result = run_->infer(feeds, names);
    auto messages = sdk_->logger.take_messages();
    if (result) result->messages = std::move(messages);
    return result;
  }

  [[nodiscard]] bool is_usable() const override { return sdk_ == nullptr || sdk_->driver.is_usable(); }

  void unload() override {
    run_.reset();
    opened_.reset();
    info_ = {};
  }

 private:
  // Builds or opens the engine, saves what the options ask for, and prepares its runs.
  Answer<void> open_model(const worker::ModelSource& model) {
    if (!options_.save_capability.empty()) {
      ASSAY_ASSIGN(const tensorrt::Capability capability, ask_parser(model, options_.network, *sdk_));
      ASSAY_TRY(save(options_.save_capability, tensorrt::capability_json(capability)));
      return {};
    }
    if (!options_.save_network.empty()) {
      const bool is_scripted = options_.network.begin || !options_.network.changes.empty();
      ASSAY_ASSIGN(const tensorrt::NetworkInfo network,
                   is_scripted ? describe_by_script(model, options_)
                               : describe_network(model, options_.network, options_.save_weights, *sdk_));
      ASSAY_TRY(save(options_.save_network, tensorrt::network_json(network)));
      return {};
    }
    if (!options_.model_is_engine) {
      for (const std::string& text : warnings_about(options_)) sdk_->logger.add(base::Level::warning, text);
    }
    ASSAY_TRY(options_.model_is_engine ? open_built(model)
              : options_.has_scripts   ? open_scripted(model)
                                       : open_parsed(model));
    if (options_.only_builds) return {};
    if (!options_.save_layers.empty()) {
      ASSAY_ASSIGN(const std::string layers, layers_json(*opened_, *sdk_));
      return save(options_.save_layers, layers);
    }
    ASSAY_TRY(create_context(options_.engine, *opened_, *sdk_));  // the serialized engine isn't in memory any more
    const bool shows_tensors = !options_.network.debug_tensors.empty();
    ASSAY_ASSIGN(run_, EngineRun::prepare(options_.engine, shows_tensors, *opened_, *sdk_));
    info_.inputs = run_->ports(nvinfer1::TensorIOMode::kINPUT);
    info_.outputs = run_->ports(nvinfer1::TensorIOMode::kOUTPUT);
    return {};
  }

  Answer<void> open_parsed(const worker::ModelSource& model) {
    ASSAY_ASSIGN(const auto built, build_engine(model, options_, *sdk_));
    const std::string_view bytes(static_cast<const char*>(built->data()), built->size());
    ASSAY_TRY(save(options_.engine.save_engine, bytes));
    return options_.only_builds ? Answer<void>() : open(bytes, model);
  }

  Answer<void> open_built(const worker::ModelSource& model) {
    ASSAY_ASSIGN(const tensor::Buffer bytes, bytes_of(model));
    ASSAY_TRY(save(options_.engine.save_engine, bytes.view()));
    const std::string_view engine = engine_in(bytes.view());
    if (engine.size() == bytes.view().size()) return open(engine, model);
    return open(std::string(engine), model);  // a copy, since TensorRT may need aligned memory
  }

  // Opens an engine with its weights. `model`: what the user gave, from which the engine was built unless it is one.
  Answer<void> open(std::string_view engine, const worker::ModelSource& model) {
    const auto weights = source_of_weights(model);
    ASSAY_ASSIGN(opened_,
                 open_engine(engine, options_.engine, options_.network.plugins, weights ? &*weights : nullptr, *sdk_));
    const bool only_shows = !options_.save_layers.empty();
    return weights || only_shows ? Answer<void>() : check_has_weights(*opened_, *sdk_);
  }

  // Returns the model whose weights the engine gets in place of its own: that of --refit-from-onnx, or the ONNX model
  // from which it was built without weights.
  [[nodiscard]] std::optional<worker::ModelSource> source_of_weights(const worker::ModelSource& model) const {
    if (!options_.engine.refit_from.empty()) return worker::ModelFile{options_.engine.refit_from};
    const auto& flags = options_.config.flags;
    const bool has_none = std::ranges::find(flags, "STRIP_PLAN") != flags.end();
    const bool is_onnx = !options_.model_is_engine && !options_.network.begin;
    return has_none && is_onnx ? std::optional(model) : std::nullopt;
  }

  Answer<void> open_scripted(const worker::ModelSource& model) {
    TensorRtOptions options = options_;
    options.config.flags_of_best = flags_of_gpu(std::move(options.config.flags_of_best), *sdk_);
    ASSAY_ASSIGN(const ScriptedEngine built, build_by_script(model, options));
    const auto bytes = built.bytes->bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    ASSAY_TRY(save(options_.engine.save_engine, text));
    for (const std::string& warning : built.warnings) sdk_->logger.add(base::Level::warning, warning);
    if (options_.only_builds) return {};
    auto opened = open(text, model);
    const std::string version = sdk_->library.version().text();
    if (!opened && !built.version.starts_with(version)) {
      opened.error().failed.message += fmt::format(
          "; the Python package tensorrt {} has built the engine, and TensorRT {} opens it: use the same version",
          built.version, version);
    }
    return opened;
  }

  // Writes a file unless its name is empty.
  static Answer<void> save(const std::string& file, std::string_view bytes) {
    if (file.empty()) return {};
    if (const auto saved = base::write_file(file, bytes); !saved)
      return refuse(Phase::build, 0, saved.error().message());
    return {};
  }

  TensorRtOptions options_;
  std::unique_ptr<TensorRtSdk> sdk_;    // its logger's address mustn't change
  std::optional<OpenedEngine> opened_;  // reset, not assigned: its members must end in reverse order
  std::unique_ptr<EngineRun> run_;
  worker::SessionInfo info_;
};

}  // namespace

std::unique_ptr<EngineAdapter> make_tensorrt_engine() {
  return std::make_unique<TensorRtEngine>();
}

}  // namespace assay::backend
