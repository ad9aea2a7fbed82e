// OpenVINO reads a model, drops unused inputs, compiles the model for a device and runs it in a request. Names and
// types of inputs and outputs come from the model's file (model_ports.h), because OpenVINO changes some of them;
// tensors are passed by index.
//
// A model in memory is read as a file (file_in_memory.h). If it is too large for one file, OpenVINO reads it from
// memory, and searches its external data in the working folder, so the worker, which is a process of its own, changes
// to the right folder meanwhile.
#include "backend/openvino/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "backend/openvino/file_in_memory.h"
#include "backend/openvino/library.h"
#include "backend/openvino/options.h"
#include "backend/openvino/types.h"
#include "backend/openvino/values.h"
#include "backend/serve/check_feeds.h"
#include "backend/serve/model_ports.h"
#include "base/seconds.h"
#include "worker/is_tensor.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;
using worker::Phase;

// Changes the working folder, and restores it on destruction. If that fails, OpenVINO names the file that it doesn't
// find.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) {
    std::error_code code;
    before_ = fs::current_path(code);
    fs::current_path(folder, code);
  }
  ~WorkingFolder() {
    std::error_code code;
    fs::current_path(before_, code);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

class OpenVinoEngine final : public EngineAdapter {
 public:
  Answer<std::string> open(const std::string& path, const std::map<std::string, std::string>& options) override {
    ASSAY_ASSIGN(options_, parse_openvino_options(options));
    ASSAY_ASSIGN(library_, OpenVinoLibrary::open(path));
    ASSAY_ASSIGN(types_, OpenVinoTypes::of(*library_));
    ov::Core* core = nullptr;
    ASSAY_TRY(library_->check(api().ov_core_create(&core), Phase::start));
    core_ = {core, api().ov_core_free};
    // Reports an unknown device or an invalid value now instead of when a model is loaded.
    const OpenVinoDevices devices = openvino_devices(options_.device);
    char* name = nullptr;
    ASSAY_TRY(
        name_option("--openvino-device " + options_.device,
                    library_->check(api().ov_core_get_property(core, devices.asked.c_str(), "FULL_DEVICE_NAME", &name),
                                    Phase::start)));
    api().ov_free(name);
    for (const std::string& device : devices.configured) {
      for (const auto& [key, value] : options_.config) {
        ASSAY_TRY(
            name_option(fmt::format("--openvino-config {}={}", key, value),
                        library_->check(api().ov_core_set_property(core, device.c_str(), key.c_str(), value.c_str()),
                                        Phase::start)));
      }
    }
    return library_->version();
  }

  Answer<worker::SessionInfo> load(const worker::ModelSource& model) override {
    unload();
    const auto start = std::chrono::steady_clock::now();
    ASSAY_ASSIGN(ModelPorts ports, read_model_ports(model));
    ASSAY_ASSIGN(const OwnedByOpenVino<ov::Model> read, read_model(model));
    ASSAY_ASSIGN(used_inputs_, used_inputs(*read, ports.inputs));
    std::size_t outputs = 0;
    ASSAY_TRY(library_->check(api().ov_model_outputs_size(read.get(), &outputs), Phase::build));
    if (outputs != ports.outputs.size()) {
      return refuse(Phase::build, 0, "the model has another number of outputs in OpenVINO than in its file");
    }
    ov::CompiledModel* compiled = nullptr;
    ASSAY_TRY(library_->check(
        api().ov_core_compile_model(core_.get(), read.get(), options_.device.c_str(), 0, &compiled), Phase::build));
    compiled_ = {compiled, api().ov_compiled_model_free};
    ov::InferRequest* request = nullptr;
    ASSAY_TRY(library_->check(api().ov_compiled_model_create_infer_request(compiled, &request), Phase::build));
    request_ = {request, api().ov_infer_request_free};
    info_.inputs = std::move(ports.inputs);
    info_.outputs = std::move(ports.outputs);
    info_.load_s = base::seconds_since(start);
    info_.reduced_precision = reduced_precision();
    if (!options_.save_built.empty()) {
      auto saved =
          library_->check(api().ov_compiled_model_export_model(compiled, options_.save_built.c_str()), Phase::build);
      if (!saved) {  // OpenVINO only says "general error"
        std::string& message = saved.error().failed.message;
        message = "cannot save the compiled model as '" + options_.save_built + "': " + message;
        return tl::make_unexpected(std::move(saved).error());
      }
    }
    return info_;
  }

  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                    const std::vector<std::string>& wanted) override {
    ASSAY_TRY(check_feeds(feeds, info_.inputs, {}));
    ASSAY_ASSIGN(const std::vector<std::string> names, check_wanted(wanted, info_.outputs));
    for (std::size_t i = 0; i < used_inputs_.size(); ++i) {
      const std::string& name = used_inputs_[i];
      ASSAY_ASSIGN(const auto input, to_openvino(*library_, *types_, name, *feeds.find(name)));
      ASSAY_TRY(library_->check(api().ov_infer_request_set_input_tensor_by_index(request_.get(), i, input.get()),
                                Phase::run));
    }
    std::unordered_map<std::string_view, std::size_t> output_index;
    for (std::size_t i = 0; i < info_.outputs.size(); ++i) output_index.try_emplace(info_.outputs[i].name, i);
    const auto start = std::chrono::steady_clock::now();
    const ov::Status status = api().ov_infer_request_infer(request_.get());
    worker::InferResult result;
    result.runtime_s = base::seconds_since(start);
    ASSAY_TRY(library_->check(status, Phase::run));
    const auto kept_feeds = std::make_shared<const tensor::NamedTensors>(feeds);
    for (const std::string& name : names) {
      const std::size_t at = output_index.at(name);
      if (!is_tensor(info_.outputs[at])) continue;
      ov::TensorHandle* output = nullptr;
      ASSAY_TRY(
          library_->check(api().ov_infer_request_get_output_tensor_by_index(request_.get(), at, &output), Phase::run));
      // An output may share the memory of a feed, so the feeds must live as long.
      const std::shared_ptr<ov::TensorHandle> owned(
          output, [free = api().ov_tensor_free, kept_feeds](ov::TensorHandle* handle) { free(handle); });
      ASSAY_ASSIGN(tensor::Tensor tensor, from_openvino(*library_, *types_, name, owned));
      result.outputs.set(name, std::move(tensor));
    }
    return result;
  }

  void unload() override {
    request_.reset();
    compiled_.reset();
    used_inputs_.clear();
    info_ = {};
  }

 private:
  [[nodiscard]] const ov::Functions& api() const { return library_->api(); }

  Answer<OwnedByOpenVino<ov::Model>> read_model(const worker::ModelSource& model) {
    if (const auto* file = std::get_if<worker::ModelFile>(&model)) return read_file(file->path);
    const auto& bytes = std::get<worker::ModelBytes>(model);
    ASSAY_ASSIGN(const std::optional<MemoryFile> file, file_in_memory(bytes));
    if (file) return read_file(file->path());
    const WorkingFolder folder(bytes.external_data_dir);
    const std::string_view text = bytes.bytes.view();
    ov::Model* raw = nullptr;
    ASSAY_TRY(library_->check(
        api().ov_core_read_model_from_memory_buffer(core_.get(), text.data(), text.size(), nullptr, &raw),
        Phase::load));
    return OwnedByOpenVino<ov::Model>(raw, api().ov_model_free);
  }

  Answer<OwnedByOpenVino<ov::Model>> read_file(const std::string& path) {
    ov::Model* raw = nullptr;
    ASSAY_TRY(library_->check(api().ov_core_read_model(core_.get(), path.c_str(), nullptr, &raw), Phase::load));
    return OwnedByOpenVino<ov::Model>(raw, api().ov_model_free);
  }

  // Returns the precision of the compiled model if it isn't float32. Some devices don't report it.
  [[nodiscard]] std::string reduced_precision() const {
    char* value = nullptr;
    if (api().ov_compiled_model_get_property(compiled_.get(), "INFERENCE_PRECISION_HINT", &value) != 0) return {};
    const std::string precision = value;
    api().ov_free(value);
    return precision.ends_with("f16") ? precision : std::string();
  }

  Answer<std::string> any_name(ov::ConstPort* raw) {
    const OwnedByOpenVino<ov::ConstPort> port(raw, api().ov_output_const_port_free);
    char* name = nullptr;
    ASSAY_TRY(library_->check(api().ov_port_get_any_name(raw, &name), Phase::build));
    std::string text = name;
    api().ov_free(name);
    return text;
  }

  // Returns the model's names of the inputs that OpenVINO kept, in OpenVINO's order. OpenVINO may rename a tensor that
  // is passed through, but it keeps the order, so if no input was dropped, the names are those of the file. Otherwise
  // inputs are matched by the first of their names in OpenVINO, which is unique.
  Answer<std::vector<std::string>> used_inputs(const ov::Model& model, const std::vector<worker::Port>& inputs) {
    std::size_t count = 0;
    ASSAY_TRY(library_->check(api().ov_model_inputs_size(&model, &count), Phase::build));
    std::vector<std::string> used;
    if (count == inputs.size()) {
      for (const worker::Port& input : inputs) used.push_back(input.name);
      return used;
    }
    std::map<std::string, std::string> by_first_name;
    for (const worker::Port& input : inputs) {
      ov::ConstPort* port = nullptr;
      if (api().ov_model_const_input_by_name(&model, input.name.c_str(), &port) != 0) continue;  // dropped
      ASSAY_ASSIGN(const std::string first, any_name(port));
      by_first_name[first] = input.name;
    }
    for (std::size_t i = 0; i < count; ++i) {
      ov::ConstPort* port = nullptr;
      ASSAY_TRY(library_->check(api().ov_model_const_input_by_index(&model, i, &port), Phase::build));
      ASSAY_ASSIGN(const std::string first, any_name(port));
      if (!by_first_name.contains(first)) {
        return refuse(
            Phase::build, 0,
            "OpenVINO has added the input '" + first + "', which cannot be fed because the model's file lacks it");
      }
      used.push_back(by_first_name[first]);
    }
    return used;
  }

  OpenVinoOptions options_;
  std::optional<OpenVinoLibrary> library_;
  std::optional<OpenVinoTypes> types_;
  OwnedByOpenVino<ov::Core> core_{nullptr, nullptr};
  OwnedByOpenVino<ov::CompiledModel> compiled_{nullptr, nullptr};
  OwnedByOpenVino<ov::InferRequest> request_{nullptr, nullptr};
  worker::SessionInfo info_;
  std::vector<std::string> used_inputs_;  // in OpenVINO's order
};

}  // namespace

std::unique_ptr<EngineAdapter> make_openvino_engine() {
  return std::make_unique<OpenVinoEngine>();
}

}  // namespace assay::backend
