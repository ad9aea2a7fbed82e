#include "run/declared_types.h"

#include <fmt/format.h>

#include <utility>

#include "run/is_reference.h"
#include "tensor/convert.h"

namespace assay::run {

bool returns_declared_types(const worker::EngineSpec& engine) {
  return !is_reference(engine);
}

base::Status DeclaredTypes::convert(tensor::NamedTensors& outputs, std::span<const worker::Port> ports,
                                    const std::string& runner, base::Log& log) {
  for (const worker::Port& port : ports) {
    const tensor::Tensor* value = outputs.find(port.name);
    if (value == nullptr || port.type == tensor::ElementType::undefined || value->type() == port.type) continue;
    const tensor::ElementType given = value->type();
    auto converted = tensor::cast(*value, port.type);
    if (!converted) {
      return base::fail(base::ErrorKind::engine,
                        fmt::format("the output '{}' has the wrong type: expected {}, given {}", port.name,
                                    tensor::name(port.type), tensor::name(given)),
                        runner);
    }
    outputs.set(port.name, *std::move(converted));
    if (!warned_.emplace(runner, given, port.type).second) continue;
    log.warning("{} returns {} for '{}', which the model declares as {}; such outputs are converted", runner,
                tensor::name(given), port.name, tensor::name(port.type));
  }
  return {};
}

}  // namespace assay::run
