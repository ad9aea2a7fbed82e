#include "run/layer_engines.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "run/ask_network.h"
#include "run/merge_orders.h"
#include "run/tensorrt_settings.h"

namespace assay::run {
namespace {

using Names = std::vector<std::string>;

constexpr std::array kChoosing = {"--trt-outputs", "--trt-outputs-by-type", "--trt-exclude-outputs",
                                  "--trt-network-postprocess-script"};  // a script can mark outputs
constexpr std::array kNaming = {"--layer-precisions", "--tensor-dtypes", "--tensor-formats"};
constexpr std::array kFurther = {"--mark-debug", "--mark-unfused-tensors-as-debug-tensors"};

TensorSize size_of(const tensorrt::NetworkTensor& tensor) {
  TensorSize size{.type = tensor::parse_element_type(tensor.type).value_or(tensor::ElementType::undefined),
                  .bytes = {}};
  const bool is_fixed = tensor.known_rank && std::ranges::all_of(tensor.shape, [](auto axis) { return axis >= 0; });
  if (is_fixed) size.bytes = tensor::declared_bytes(size.type, tensor.shape);
  return size;
}

// Returns the outputs in the order in which they are computed. Those that no layer computes come last.
std::vector<tensorrt::NetworkTensor> outputs_in_order(const tensorrt::NetworkInfo& network) {
  std::vector<tensorrt::NetworkTensor> outputs;
  for (const tensorrt::NetworkLayer& layer : network.layers) {
    std::ranges::copy_if(layer.outputs, std::back_inserter(outputs), &tensorrt::NetworkTensor::is_output);
  }
  std::unordered_set<std::string> found;
  for (const tensorrt::NetworkTensor& output : outputs) found.insert(output.name);
  std::ranges::copy_if(network.outputs, std::back_inserter(outputs),
                       [&](const tensorrt::NetworkTensor& output) { return !found.contains(output.name); });
  return outputs;
}

}  // namespace

bool chooses_outputs(const EngineSetup& engine) {
  return is_tensorrt(engine.spec) && has_any(engine, kChoosing) && !has_any(engine, kFurther);
}

bool names_network_parts(const EngineSetup& engine) {
  return is_tensorrt(engine.spec) && (has_any(engine, kChoosing) || has_any(engine, kNaming)) &&
         !has_any(engine, kFurther);
}

base::Expected<std::vector<LayerEngine>> layer_engines(const std::vector<EngineSetup>& engines,
                                                       const worker::ModelSource& model, const Names& outputs,
                                                       worker::Pool& pool) {
  std::vector<LayerEngine> all;
  for (const EngineSetup& setup : engines) {
    LayerEngine& engine = all.emplace_back(LayerEngine{.setup = setup, .tensors = outputs});
    if (!names_network_parts(setup)) continue;
    ASSAY_ASSIGN(const tensorrt::NetworkInfo network, ask_network(setup, model, pool));
    engine.needs_whole_model = true;
    engine.tensors.clear();
    for (const tensorrt::NetworkTensor& output : outputs_in_order(network)) {
      engine.tensors.push_back(output.name);
      engine.sizes.push_back(size_of(output));
    }
  }
  return all;
}

EngineSetup returning(EngineSetup engine, const Names& tensors) {
  set_setting(engine, "outputs", tensors);
  return engine;
}

EngineSetup for_another_model(EngineSetup engine) {
  for (const char* name : kChoosing) engine.spec.options.erase(name);
  for (const char* name : kNaming) engine.spec.options.erase(name);
  return without_saving(std::move(engine));
}

Names all_tensors(const std::vector<LayerEngine>& engines) {
  std::vector<Names> orders;
  for (const LayerEngine& engine : engines) orders.push_back(engine.tensors);
  return merge_orders(orders);
}

bool share_tensors(const std::vector<LayerEngine>& engines) {
  for (std::size_t i = 0; i + 1 < engines.size(); ++i) {
    const std::unordered_set<std::string> names(engines[i].tensors.begin(), engines[i].tensors.end());
    const Names& others = engines[i + 1].tensors;
    if (std::ranges::none_of(others, [&](const std::string& name) { return names.contains(name); })) return false;
  }
  return true;
}

}  // namespace assay::run
