// A run with thousands of marked tensors spends more time allocating pages than computing. Copying from ONNX Runtime's
// memory to shared memory would need twice the pages, so large outputs are written to shared memory in the first place.
//
// Outputs that aren't placed: those whose size isn't certain; small ones, for which it isn't worth it; and outputs that
// are also inputs, which ONNX Runtime passes through without a copy.
#include "backend/onnxruntime/outputs.h"

#include <string_view>
#include <unordered_map>

#include "backend/onnxruntime/values.h"

namespace assay::backend {
namespace {

constexpr std::uint64_t kAlignment = 256;  // as ONNX Runtime uses itself
constexpr std::uint64_t kSmall = 4096;     // bytes; smaller outputs aren't placed

// Returns an output's size in bytes, or 0 if it can't be placed. A shape without dimensions may be an unknown one.
std::uint64_t size_of(const worker::Port& port) {
  if (port.kind != "tensor" || port.type == tensor::ElementType::string || port.shape.empty()) return 0;
  const auto count = tensor::element_count(port.shape);
  const auto bytes = count ? tensor::byte_size(port.type, *count) : std::nullopt;
  return bytes && *bytes >= kSmall ? *bytes : 0;
}

struct OutputPlace {
  const worker::Port* port = nullptr;  // null if the output isn't placed
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

}  // namespace

PlacedOutputs place_outputs(const OnnxRuntimeLibrary& library, const std::vector<std::string>& names,
                            const worker::SessionInfo& info, const std::vector<worker::Port>& overridable,
                            OutputMemory memory) {
  std::unordered_map<std::string_view, const worker::Port*> outputs;
  for (const worker::Port& port : info.outputs) outputs.emplace(port.name, &port);
  for (const auto* inputs : {&info.inputs, &overridable}) {
    for (const worker::Port& port : *inputs) outputs.erase(port.name);
  }
  std::vector<OutputPlace> places(names.size());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = outputs.find(names[i]);
    const std::uint64_t size = at == outputs.end() ? 0 : size_of(*at->second);
    if (size == 0) continue;
    places[i] = {at->second, end, size};
    if (__builtin_add_overflow(end, size + kAlignment - 1, &end)) return {};
    end = end / kAlignment * kAlignment;
  }
  if (end < OutputMemory::kWorthIt) return {};
  if (!memory.cut(end)) {
    memory = {};  // released before the larger region is allocated
    memory = OutputMemory(end);
  }
  if (!memory) return {};
  PlacedOutputs placed{{}, std::move(memory)};
  for (const OutputPlace& place : places) {
    Owned<OrtValue>& value = placed.values.emplace_back(nullptr, nullptr);
    if (place.port == nullptr) continue;
    const auto bytes = placed.memory.region()->bytes().subspan(place.offset, place.size);
    auto created = value_of(library, place.port->type, place.port->shape, bytes);
    if (!created) return {};
    value = *std::move(created);
  }
  return placed;
}

bool may_be_wrong_shape(const worker::Refused& refused) {
  return refused.failed.message.find("shape") != std::string::npos;
}

}  // namespace assay::backend
