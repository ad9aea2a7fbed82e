// A run with thousands of marked tensors spends more time on new pages of memory than on computing. ONNX Runtime's own
// memory and shared memory to copy it into are twice as many of them; so large outputs get a place in shared memory.
//
// Not placed: what may have another size than we think; small ones, which cost nothing; and an input that is an output
// as well, which ONNX Runtime passes on and does not copy.
#include "backend/onnxruntime_outputs.h"

#include <string_view>
#include <unordered_map>

#include "backend/onnxruntime_values.h"

namespace assay::backend {
namespace {

constexpr std::uint64_t kAlignment = 256;  // ONNX Runtime's own
constexpr std::uint64_t kSmall = 4096;     // bytes of an output that is not worth a place

// Bytes of an output that can be placed; 0 for others. No dimensions may mean that nobody knows them.
std::uint64_t size_of(const worker::Port& port) {
  if (port.kind != "tensor" || port.type == tensor::ElementType::string || port.shape.empty()) return 0;
  const auto count = tensor::element_count(port.shape);
  const auto bytes = count ? tensor::byte_size(port.type, *count) : std::nullopt;
  return bytes && *bytes >= kSmall ? *bytes : 0;
}

struct Place {
  const worker::Port* port = nullptr;  // null: none
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
  std::vector<Place> places(names.size());
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
    memory = {};  // before there is more
    memory = OutputMemory(end);
  }
  if (!memory) return {};
  PlacedOutputs placed{{}, std::move(memory)};
  for (const Place& place : places) {
    Owned<OrtValue>& value = placed.values.emplace_back(nullptr, nullptr);
    if (place.port == nullptr) continue;
    const auto bytes = placed.memory.region()->bytes().subspan(place.offset, place.size);
    auto made = value_of(library, place.port->type, place.port->shape, bytes);
    if (!made) return {};
    value = *std::move(made);
  }
  return placed;
}

bool may_be_about_places(const worker::Refused& refused) {
  return refused.failed.message.find("shape") != std::string::npos;
}

}  // namespace assay::backend
