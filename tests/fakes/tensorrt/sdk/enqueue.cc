// One run of an engine.
#include <cstring>
#include <optional>

#include "context.h"
#include "dims.h"
#include "misbehave.h"

namespace fake_tensorrt {

using nvinfer1::DataType;

std::string Context::what_is_missing() const {
  for (const int input : graph_.inputs) {
    const std::string& name = graph_.tensors[input].name;
    if (!is_known(shapes_[input])) return "the shape of input " + name + " isn't set";
    if (getTensorAddress(name.c_str()) == nullptr) return "the address of input " + name + " isn't set";
  }
  const std::vector<nvinfer1::Dims> shapes = all_shapes(shapes_);
  for (const int output : graph_.outputs) {
    const std::string& name = graph_.tensors[output].name;
    if (allocators_.contains(output)) continue;
    if (shapes[output].nbDims < 0) return "the shapes of the inputs don't fit together";
    if (!is_known(shapes[output])) return "output " + name + " has a shape that depends on data, but no allocator";
    if (getTensorAddress(name.c_str()) == nullptr) return "the address of output " + name + " isn't set";
  }
  const bool is_managed = strategy_ == nvinfer1::ExecutionContextAllocationStrategy::kUSER_MANAGED;
  if (is_managed && device_memory_ == nullptr && device_memory_size() > 0) return "the device memory isn't set";
  return "";
}

Value Context::read_input(int tensor) const {
  const GraphTensor& row = graph_.tensors[tensor];
  Value value{shapes_[tensor], {}};
  value.bytes.resize(static_cast<std::size_t>(volume(value.dims)) * element_size(row.io_type));
  if (!value.bytes.empty()) std::memcpy(value.bytes.data(), addresses_.at(tensor), value.bytes.size());
  return convert(std::move(value), row.io_type, row.type);
}

bool Context::write_output(int tensor, const Value& value, cudaStream_t stream) {
  const GraphTensor& row = graph_.tensors[tensor];
  const Value converted = convert(value, row.type, row.io_type);
  const auto address = addresses_.find(tensor);
  void* target = address == addresses_.end() ? nullptr : address->second;
  if (const auto allocator = allocators_.find(tensor); allocator != allocators_.end()) {
    constexpr std::uint64_t kAlignment = 256;
    const std::uint64_t size = std::max<std::uint64_t>(1, converted.bytes.size());  // never 0, as in TensorRT
    target = allocator->second->reallocateOutputAsync(row.name.c_str(), target, size, kAlignment, stream);
    allocator->second->notifyShape(row.name.c_str(), converted.dims);
    if (target == nullptr) return fail("enqueueV3", "the allocator returned no memory for output " + row.name);
  }
  if (!converted.bytes.empty()) std::memcpy(target, converted.bytes.data(), converted.bytes.size());
  return true;
}

// Shows a tensor to the listener, if its debug state is on.
bool Context::report(int tensor, const Value& value, cudaStream_t stream) {
  const GraphTensor& row = graph_.tensors[tensor];
  const bool is_unfused = reports_unfused_ && graph_.all_debug && !is_input(graph_, tensor);
  if (listener_ == nullptr || !(is_unfused || getDebugState(row.name.c_str()))) return true;
  if (listener_->processDebugTensor(value.bytes.data(), nvinfer1::TensorLocation::kDEVICE, row.type, value.dims,
                                    row.name.c_str(), stream)) {
    return true;
  }
  return fail("enqueueV3", "the debug listener refused " + row.name);
}

bool Context::run(cudaStream_t stream) {
  std::vector<Value> values(graph_.tensors.size());
  for (const int input : graph_.inputs) {
    values[input] = read_input(input);
    if (!report(input, values[input], stream)) return false;
  }
  for (int at = 0; at < static_cast<int>(graph_.layers.size()); ++at) {
    const GraphLayer& layer = graph_.layers[at];
    const int output = layer.outputs.at(0);
    std::vector<const Value*> inputs;
    for (const int input : layer.inputs) inputs.push_back(&values[input]);
    const DataType type = graph_.tensors[layer.inputs.empty() ? output : layer.inputs[0]].type;
    values[output] = compute(layer, type, inputs, graph_.tensors[output].dims);
    if (misbehaves("wrong_fusion") && fused_before(graph_, at)) values[output] = made_wrong(values[output]);
    if (!report(output, values[output], stream)) return false;
  }
  for (const int output : graph_.outputs) {
    if (!write_output(output, values[output], stream)) return false;
  }
  return true;
}

bool Context::enqueueV3(cudaStream_t stream) noexcept {
  if (misbehaves("crash_run")) crash();
  if (misbehaves("fail_run")) {
    log_error(engine_.logger(),
              "IExecutionContext::enqueueV3: Error Code 1: Cuda Runtime (an illegal memory access was encountered)");
    return false;
  }
  warn_if_asked(engine_.logger(), "The default stream is slow.");
  if (const std::string missing = what_is_missing(); !missing.empty()) return fail("enqueueV3", missing);
  return run(stream);
}

}  // namespace fake_tensorrt
