// Follows Polygraphy's rules for inputs that don't fit, so that saved data that works there works here, too: find the
// value by name or else by position, cast it, then transpose or reshape it.
#include "data/fit_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tensor/convert.h"
#include "tensor/transpose.h"

namespace assay::data {
namespace {

using base::ErrorKind;
using base::fail;
using tensor::NamedTensors;
using tensor::Shape;
using tensor::Tensor;
using tensor::TensorSpec;

constexpr std::size_t kMaxTransposedRank = 8;  // 8! orders of axes to try

std::string wanted_shape(const TensorSpec& port) {
  std::vector<std::string> dims;
  for (const std::int64_t dim : port.shape) dims.push_back(dim < 0 ? "?" : std::to_string(dim));
  return fmt::format("({}{})", fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
}

bool fits(const Shape& shape, const std::vector<std::int64_t>& wanted) {
  return std::ranges::equal(shape, wanted, [](std::int64_t dim, std::int64_t port) { return port < 0 || dim == port; });
}

// Returns the lexicographically first order of axes that fits.
std::optional<std::vector<std::size_t>> find_axes(const Shape& shape, const std::vector<std::int64_t>& wanted) {
  if (shape.size() != wanted.size() || shape.size() > kMaxTransposedRank) return std::nullopt;
  std::vector<std::size_t> axes(shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  do {
    Shape candidate;
    for (const std::size_t axis : axes) candidate.push_back(shape[axis]);
    if (fits(candidate, wanted)) return axes;
  } while (std::ranges::next_permutation(axes).found);
  return std::nullopt;
}

// Returns the wanted shape with its only unknown dimension computed, or nothing if several are unknown or the number of
// elements isn't divisible.
std::optional<Shape> find_shape(std::uint64_t size, const std::vector<std::int64_t>& wanted) {
  Shape shape = wanted;
  const auto unknown = std::ranges::find_if(shape, [](std::int64_t dim) { return dim < 0; });
  if (unknown != shape.end()) {
    *unknown = 1;
    const auto rest = tensor::element_count(shape);
    if (!rest || *rest == 0 || size % *rest != 0) return std::nullopt;
    *unknown = static_cast<std::int64_t>(size / *rest);
  }
  return tensor::element_count(shape) == size ? std::optional(shape) : std::nullopt;
}

base::Expected<Tensor> fit_shape(const Tensor& value, const TensorSpec& port, base::Log& log) {
  // Engines don't distinguish a scalar from a tensor of unknown rank.
  const bool open = port.shape.empty() && value.size() != 1;
  if (open || fits(value.shape(), port.shape)) return value;
  if (const auto axes = find_axes(value.shape(), port.shape)) {
    ASSAY_ASSIGN(Tensor moved, tensor::transpose(value, *axes));
    log.warning("Input '{}': the shape {} does not fit {}; its axes are transposed to the order ({})", port.name,
                tensor::format_shape(value.shape()), wanted_shape(port), fmt::join(*axes, ", "));
    return moved;
  }
  if (const auto shape = find_shape(value.size(), port.shape)) {
    log.warning("Input '{}': the shape {} does not fit {}; it is reshaped to {}", port.name,
                tensor::format_shape(value.shape()), wanted_shape(port), tensor::format_shape(*shape));
    return tensor::reshape(value, *shape);
  }
  return fail(
      ErrorKind::invalid_input,
      fmt::format("input '{}' has the shape {}, but the model takes {}", port.name, tensor::format_shape(value.shape()),
                  wanted_shape(port)),
      std::string(kGivenInputs),
      "Supply inputs of this shape, or change the model's with `assay surgeon sanitize --override-input-shapes`");
}

base::Expected<Tensor> fit_type(const Tensor& value, const TensorSpec& port, base::Log& log) {
  if (value.type() == port.type || port.type == tensor::ElementType::undefined) return value;
  auto converted = tensor::cast(value, port.type);
  if (!converted) return fail(std::move(converted).error().within(fmt::format("input '{}'", port.name)));
  log.warning("Input '{}': its type {} is cast to {}, as the model requires", port.name, tensor::name(value.type()),
              tensor::name(port.type));
  return converted;
}

// Returns the value at the position of an input without data of its name, unless another input has the value's name.
const Tensor* find_at_position(const NamedTensors& inputs, std::span<const TensorSpec> ports, std::size_t position) {
  if (position >= inputs.size()) return nullptr;
  const auto& [name, value] = *(inputs.begin() + static_cast<std::ptrdiff_t>(position));
  if (std::ranges::find(ports, name, &TensorSpec::name) != ports.end()) return nullptr;
  return &value;
}

}  // namespace

base::Expected<NamedTensors> fit_inputs(const NamedTensors& inputs, std::span<const TensorSpec> ports, base::Log& log) {
  const auto fit = [&](const Tensor& value, const TensorSpec& port) -> base::Expected<Tensor> {
    ASSAY_ASSIGN(const Tensor shaped, fit_shape(value, port, log));
    return fit_type(shaped, port, log);
  };
  NamedTensors result;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const TensorSpec& port = ports[i];
    if (const Tensor* value = inputs.find(port.name)) {
      ASSAY_ASSIGN(Tensor fitting, fit(*value, port));
      result.set(port.name, std::move(fitting));
      continue;
    }
    const Tensor* stand_in = find_at_position(inputs, ports, i);
    const auto missing = [&](const std::string& reason) {
      const std::string available = inputs.empty() ? "nothing" : base::join(inputs.names(), ", ");
      return fail(ErrorKind::invalid_input,
                  fmt::format("there is no data for input '{}'; available: {}{}", port.name, available, reason),
                  std::string(kGivenInputs), "Add it, for example by merging files with `assay data merge`");
    };
    if (stand_in == nullptr) return missing("");
    auto fitting = fit(*stand_in, port);
    if (!fitting) {
      return missing(fmt::format("; '{}', which is at the same position, doesn't fit: {}", inputs.names()[i],
                                 fitting.error().what));
    }
    log.warning("Input '{}' has no data of its name, so '{}', which is at the same position, is used", port.name,
                inputs.names()[i]);
    result.set(port.name, *std::move(fitting));
  }
  return result;
}

NamedTensors fit_where_possible(NamedTensors values, std::span<const TensorSpec> ports) {
  base::SilentLog silent;
  for (const TensorSpec& port : ports) {
    const Tensor* value = values.find(port.name);
    if (value == nullptr) continue;
    NamedTensors one;
    one.set(port.name, *value);
    if (const auto fitted = fit_inputs(one, {&port, 1}, silent)) values.set(port.name, *fitted->find(port.name));
  }
  return values;
}

}  // namespace assay::data
