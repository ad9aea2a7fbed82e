// Shapes, addresses and what else is set before a run.
#include "context.h"

#include <algorithm>

#include "dims.h"
#include "formats.h"
#include "misbehave.h"

namespace fake_tensorrt {

using nvinfer1::Dims;
using nvinfer1::OptProfileSelector;

Context::Context(Engine& engine, nvinfer1::ExecutionContextAllocationStrategy strategy, std::shared_ptr<int> users)
    : engine_(engine),
      users_(std::move(users)),
      graph_(engine.plan().graph),
      strategy_(strategy),
      are_shapes_(shape_tensors(graph_)),
      markers_(engine.plan().verbosity) {
  for (const GraphTensor& tensor : graph_.tensors) shapes_.push_back(tensor.dims);
}

bool Context::fail(const std::string& function, const std::string& error) const {
  log_error(engine_.logger(), "IExecutionContext::" + function + ": Error Code 3: API Usage Error (" + error + ")");
  return false;
}

bool Context::setOptimizationProfileAsync(int32_t profile, cudaStream_t) noexcept {
  if (profile < 0 || profile >= engine_.getNbOptimizationProfiles()) {
    return fail("setOptimizationProfileAsync", "there is no profile " + std::to_string(profile));
  }
  if (profile != profile_) {
    for (const int input : graph_.inputs) shapes_[input] = graph_.tensors[input].dims;
  }
  profile_ = profile;
  return true;
}

bool Context::setInputShape(char const* name, Dims const& dims) noexcept {
  const auto index = engine_.find_io(name);
  if (!index || !is_input(graph_, *index)) return fail("setInputShape", std::string(name) + " isn't an input");
  const Dims declared = graph_.tensors[*index].dims;
  if (!is_known(dims) || !matches(declared, dims)) {
    return fail("setInputShape", to_text(dims) + " doesn't fit the dimensions " + to_text(declared) + " of " + name);
  }
  const auto shape = [&](OptProfileSelector select) {
    return profile_shape(engine_.plan(), *index, profile_, static_cast<int>(select)).value_or(no_dims());
  };
  const Dims least = shape(OptProfileSelector::kMIN);
  const Dims most = shape(OptProfileSelector::kMAX);
  for (int axis = 0; axis < dims.nbDims; ++axis) {
    if (dims.d[axis] >= least.d[axis] && dims.d[axis] <= most.d[axis]) continue;
    return fail("setInputShape", to_text(dims) + " of " + name + " is outside of profile " + std::to_string(profile_) +
                                     ", which has " + to_text(least) + " to " + to_text(most));
  }
  shapes_[*index] = dims;
  return true;
}

Known Context::known_with(std::vector<Dims> inputs) const {
  Known known{std::move(inputs), std::vector<std::optional<std::vector<double>>>(graph_.tensors.size())};
  for (const int input : graph_.inputs) {
    const auto address = addresses_.find(input);
    const bool is_set = address != addresses_.end() && address->second != nullptr && is_known(known.shapes[input]);
    if (are_shapes_[input] && is_set) known.numbers[input] = numbers_of(read_input(input), graph_.tensors[input].type);
  }
  return known;
}

// Infers all shapes. Without a tensor that they depend on, they aren't known.
bool Context::infer(Known& known) const {
  if (infer_shapes(graph_, known)) return true;
  std::fill(known.shapes.begin(), known.shapes.end(), no_dims());
  return false;
}

std::vector<Dims> Context::shapes() const {
  Known known = known_with(shapes_);
  return infer(known) ? known.shapes : shapes_;
}

Dims Context::getTensorShape(char const* name) const noexcept {
  const auto index = engine_.find_io(name);
  if (!index) return no_dims();
  Known known = known_with(shapes_);
  (void)infer(known);
  return told(*index, known.shapes[*index]);
}

Dims Context::told(int tensor, Dims dims) const {
  if (!misbehaves("hide_sizes") || !is_output(graph_, tensor)) return dims;
  for (int axis = 1; axis < dims.nbDims; ++axis) {
    if (graph_.tensors[tensor].dims.d[axis] < 0) dims.d[axis] = -1;
  }
  return dims;
}

Dims Context::getTensorStrides(char const* name) const noexcept {
  const auto index = engine_.find_io(name);
  if (!index) return no_dims();
  Known known = known_with(shapes_);
  (void)infer(known);
  const Dims& dims = known.shapes[*index];
  return is_known(dims) ? strides_of(graph_.tensors[*index], dims) : no_dims();
}

int32_t Context::inferShapes(int32_t max_names, char const** names) noexcept {
  int32_t missing = 0;
  for (const int input : graph_.inputs) {
    const char* name = graph_.tensors[input].name.c_str();
    if (is_known(shapes_[input]) && (!are_shapes_[input] || getTensorAddress(name) != nullptr)) continue;
    if (missing < max_names && names != nullptr) names[missing] = name;
    ++missing;
  }
  if (missing > 0) return missing;
  Known known = known_with(shapes_);
  if (infer(known)) return 0;
  fail("inferShapes", "the shapes of the inputs don't fit together");
  return -1;
}

bool Context::allInputDimensionsSpecified() const noexcept {
  return std::all_of(graph_.inputs.begin(), graph_.inputs.end(), [&](int input) { return is_known(shapes_[input]); });
}

int64_t Context::getMaxOutputSize(char const* name) const noexcept {
  const auto index = engine_.find_io(name);
  if (!index || !is_output(graph_, *index)) return -1;
  std::vector<Dims> largest = shapes_;
  for (const int input : graph_.inputs) {
    constexpr int kMost = static_cast<int>(OptProfileSelector::kMAX);
    largest[input] = profile_shape(engine_.plan(), input, profile_, kMost).value_or(no_dims());
  }
  Known known = known_with(largest);
  (void)infer(known);
  const Dims shape = known.shapes[*index];
  if (!is_known(shape)) return -1;
  return volume(shape) * static_cast<int64_t>(element_size(graph_.tensors[*index].io_type));
}

bool Context::setTensorAddress(char const* name, void* data) noexcept {
  const auto index = engine_.find_io(name);
  if (!index) return false;
  addresses_[*index] = data;
  return true;
}

void const* Context::getTensorAddress(char const* name) const noexcept {
  const auto index = engine_.find_io(name);
  const auto found = index ? addresses_.find(*index) : addresses_.end();
  return found == addresses_.end() ? nullptr : found->second;
}

bool Context::setInputTensorAddress(char const* name, void const* data) noexcept {
  const auto index = engine_.find_io(name);
  if (!index || !is_input(graph_, *index)) return fail("setInputTensorAddress", std::string(name) + " isn't an input");
  return setTensorAddress(name, const_cast<void*>(data));
}

bool Context::setOutputTensorAddress(char const* name, void* data) noexcept {
  const auto index = engine_.find_io(name);
  if (!index || !is_output(graph_, *index))
    return fail("setOutputTensorAddress", std::string(name) + " isn't an output");
  return setTensorAddress(name, data);
}

void* Context::getOutputTensorAddress(char const* name) const noexcept {
  return const_cast<void*>(getTensorAddress(name));
}

bool Context::setOutputAllocator(char const* name, nvinfer1::IOutputAllocator* allocator) noexcept {
  const auto index = engine_.find_io(name);
  if (!index || !is_output(graph_, *index)) return fail("setOutputAllocator", std::string(name) + " isn't an output");
  if (allocator == nullptr) {
    allocators_.erase(*index);
  } else {
    allocators_[*index] = allocator;
  }
  return true;
}

nvinfer1::IOutputAllocator* Context::getOutputAllocator(char const* name) noexcept {
  const auto index = engine_.find_io(name);
  const auto found = index ? allocators_.find(*index) : allocators_.end();
  return found == allocators_.end() ? nullptr : found->second;
}

std::size_t Context::device_memory_size() const {
  Known known = known_with(shapes_);
  (void)infer(known);
  return activation_bytes(graph_, known.shapes);
}

size_t Context::updateDeviceMemorySizeForShapes() noexcept {
  if (misbehaves("no_sizes")) {
    fail("updateDeviceMemorySizeForShapes", "the sizes can't be computed");
    return 0;
  }
  if (inferShapes(0, nullptr) == 0) return device_memory_size();
  fail("updateDeviceMemorySizeForShapes", "not all inputs have shapes");
  return 0;
}

bool Context::setDebugListener(nvinfer1::IDebugListener* listener) noexcept {
  listener_ = listener;
  return true;
}

bool Context::setTensorDebugState(char const* name, bool flag) noexcept {
  if (!engine_.isDebugTensor(name)) return fail("setTensorDebugState", std::string(name) + " isn't a debug tensor");
  debug_states_[find_tensor(graph_, name).value()] = flag;
  return true;
}

bool Context::getDebugState(char const* name) const noexcept {
  const auto index = find_tensor(graph_, name);
  const auto found = index ? debug_states_.find(*index) : debug_states_.end();
  return found != debug_states_.end() && found->second;
}

bool Context::setAllTensorsDebugState(bool flag) noexcept {
  bool has_any = graph_.all_debug;
  for (int index = 0; index < static_cast<int>(graph_.tensors.size()); ++index) {
    if (!graph_.tensors[index].is_debug) continue;
    debug_states_[index] = flag;
    has_any = true;
  }
  return has_any || fail("setAllTensorsDebugState", "the engine has no debug tensors");
}

#ifdef FAKE_HAS_VExecutionContext_setUnfusedTensorsDebugState
bool Context::setUnfusedTensorsDebugState(bool flag) noexcept {
  crash_if_too_old("setUnfusedTensorsDebugState");
  if (!graph_.all_debug) return fail("setUnfusedTensorsDebugState", "unfused tensors weren't marked for debugging");
  reports_unfused_ = flag;
  return true;
}
#endif

}  // namespace fake_tensorrt
