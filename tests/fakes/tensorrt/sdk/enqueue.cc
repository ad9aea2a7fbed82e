// One run of an engine.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>

#include "context.h"
#include "dims.h"
#include "driver.h"
#include "formats.h"
#include "layer_behaviour.h"
#include "misbehave.h"
#include "tactics.h"

namespace fake_tensorrt {

using nvinfer1::DataType;

constexpr std::uint64_t kAlignment = 256;  // of tensors, in bytes

std::string Context::wrong_address(int tensor) const {
  const std::string& name = graph_.tensors[tensor].name;
  const void* address = getTensorAddress(name.c_str());
  const std::string kind = is_input(graph_, tensor) ? "input " : "output ";
  if (address == nullptr) return "the address of " + kind + name + " isn't set";
  return wrong_place(tensor, address);
}

std::string Context::wrong_place(int tensor, const void* address) const {
  const std::string& name = graph_.tensors[tensor].name;
  const auto on_gpu = is_on_gpu(address);
  if (!on_gpu) return "";  // without a driver, the fake's own tests use any memory
  if (reinterpret_cast<std::uintptr_t>(address) % kAlignment != 0) return "the address of " + name + " isn't aligned";
  if (*on_gpu == are_shapes_[tensor]) return "the address of " + name + " isn't where its location says";
  return "";
}

std::string Context::wrong_values(int input) const {
  const auto* least = profile_values(engine_.plan(), input, profile_, 0);
  const auto* most = profile_values(engine_.plan(), input, profile_, 2);
  if (least == nullptr || most == nullptr) return "";
  const std::vector<double> numbers = numbers_of(read_input(input), graph_.tensors[input].type);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= static_cast<double>(least->at(i)) && numbers[i] <= static_cast<double>(most->at(i))) continue;
    return "the values of " + graph_.tensors[input].name + " are outside of profile " + std::to_string(profile_);
  }
  return "";
}

std::string Context::what_is_missing() const {
  for (const int input : graph_.inputs) {
    const std::string& name = graph_.tensors[input].name;
    if (!is_known(shapes_[input])) return "the shape of input " + name + " isn't set";
    if (std::string wrong = wrong_address(input); !wrong.empty()) return wrong;
    if (!are_shapes_[input]) continue;
    if (std::string wrong = wrong_values(input); !wrong.empty()) return wrong;
  }
  Known known = known_with(shapes_);
  (void)infer(known);
  for (const int output : graph_.outputs) {
    const std::string& name = graph_.tensors[output].name;
    if (const auto input = aliased_input(graph_, output)) {
      const bool is_there = !allocators_.contains(output) && getTensorAddress(name.c_str()) == addresses_.at(*input);
      if (!is_there) return "output " + name + " isn't in the memory of input " + graph_.tensors[*input].name;
    }
    if (allocators_.contains(output)) continue;
    if (known.shapes[output].nbDims < 0) return "the shapes of the inputs don't fit together";
    if (!is_known(known.shapes[output]))
      return "output " + name + " has a shape that depends on data, but no allocator";
    if (std::string wrong = wrong_address(output); !wrong.empty()) return wrong;
  }
  using Strategy = nvinfer1::ExecutionContextAllocationStrategy;
  if (strategy_ != Strategy::kUSER_MANAGED || device_memory_size() == 0) return "";
  if (device_memory_ == nullptr) return "the device memory isn't set";
  if (device_memory_bytes_.value_or(INT64_MAX) < static_cast<int64_t>(device_memory_size())) {
    return "the device memory is too small";
  }
  return "";
}

Value Context::read_input(int tensor) const {
  const GraphTensor& row = graph_.tensors[tensor];
  if (volume(shapes_[tensor]) == 0) return {shapes_[tensor], {}};
  Value value = restore(row, shapes_[tensor], static_cast<const std::byte*>(addresses_.at(tensor)));
  return convert(std::move(value), row.io_type, row.type);
}

bool Context::write_output(int tensor, const Value& value, cudaStream_t stream) {
  const GraphTensor& row = graph_.tensors[tensor];
  const Value converted = convert(value, row.type, row.io_type);
  const auto address = addresses_.find(tensor);
  void* target = address == addresses_.end() ? nullptr : address->second;
  if (const auto allocator = allocators_.find(tensor); allocator != allocators_.end()) {
    const std::uint64_t size = std::max<std::uint64_t>(1, stored_size(row, converted.dims));  // never 0, as in TensorRT
    in_another_thread([&] {
      target = allocator->second->reallocateOutputAsync(row.name.c_str(), target, size, kAlignment, stream);
      allocator->second->notifyShape(row.name.c_str(), told(tensor, converted.dims));
    });
    if (target == nullptr) return fail("enqueueV3", "the allocator returned no memory for output " + row.name);
    if (const std::string wrong = wrong_place(tensor, target); !wrong.empty()) return fail("enqueueV3", wrong);
  }
  if (!converted.bytes.empty()) store(row, converted, static_cast<std::byte*>(target));
  return true;
}

// Shows a tensor to the listener, if its debug state is on.
bool Context::report(int tensor, const Value& value, cudaStream_t stream) {
  const GraphTensor& row = graph_.tensors[tensor];
  const bool is_unfused = reports_unfused_ && graph_.all_debug && !is_input(graph_, tensor);
  if (listener_ == nullptr || !(is_unfused || getDebugState(row.name.c_str()))) return true;
  bool is_accepted = false;
  const DeviceCopy copy(value.bytes);
  in_another_thread([&] {
    is_accepted = listener_->processDebugTensor(copy.address(), nvinfer1::TensorLocation::kDEVICE, row.type, value.dims,
                                                row.name.c_str(), stream);
  });
  return is_accepted || fail("enqueueV3", "the debug listener refused " + row.name);
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
    std::vector<DataType> types;
    for (const int input : layer.inputs) types.push_back(graph_.tensors[input].type);
    values[output] = compute(layer, types, inputs, graph_.tensors[output].dims);
    if (misbehaves("wrong_fusion") && fused_before(graph_, at)) values[output] = made_wrong(values[output]);
    if (misbehaves("bad_tactic") && has_bad_tactic(layer)) values[output] = made_wrong(values[output]);
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
  if (stream == nullptr) log_warning(engine_.logger(), "Using default stream in enqueueV3() may be slow.");
  warn_if_asked(engine_.logger(), "The default stream is slow.");
  if (misbehaves("show_markers") && markers_ != nvinfer1::ProfilingVerbosity::kNONE) {
    log_warning(engine_.logger(), "enqueueV3 writes NVTX markers.");
  }
  if (const std::string missing = what_is_missing(); !missing.empty()) return fail("enqueueV3", missing);
  try {
    if (!run(stream)) return false;
  } catch (const std::exception& error) {
    return fail("enqueueV3", error.what());
  }
  if (!behave_as_asked(graph_)) return fail("enqueueV3", "a layer fails");
  constexpr int kIllegalAddress = 700;  // CUresult
  if (misbehaves("fault_run")) break_driver(kIllegalAddress);
  return true;
}

}  // namespace fake_tensorrt
