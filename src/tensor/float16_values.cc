// Converts with integer operations on the bits, because weights can have gigabytes. A float32 has a sign, 8 bits of
// exponent (bias 127) and 23 of mantissa; a float16 has a sign, 5 bits (bias 15) and 10. So the exponent decreases by
// 112, and 13 bits of mantissa are rounded away.
#include "tensor/float16_values.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace assay::tensor {
namespace {

constexpr std::uint32_t kInfinity = 0x7F800000;        // the bits of a float32, as in the next line
constexpr std::uint32_t kSmallestNormal = 0x38800000;  // 2^-14
constexpr std::uint32_t kBiasChange = 112U << 23;

constexpr std::uint16_t kNan16 = 0x7E00;
constexpr std::uint16_t kInfinity16 = 0x7C00;
constexpr std::uint16_t kLargest16 = 0x7BFF;
constexpr std::uint16_t kSmallest16 = 0x0001;
constexpr auto kOverflow = std::bit_cast<std::uint32_t>(static_cast<float>(kFloat16Overflow));
constexpr float kLargest = kLargestFloat16;

}  // namespace

std::uint16_t to_float16(float value, Float16Changes& changes) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & ~(1U << 31);
  const auto with_sign = [&](std::uint32_t code) { return static_cast<std::uint16_t>((bits >> 31) << 15 | code); };
  if (magnitude > kInfinity) return with_sign(kNan16);
  if (magnitude == kInfinity) return with_sign(kInfinity16);
  if (magnitude >= kOverflow) {
    ++changes.too_large;
    return with_sign(kLargest16);
  }
  if (magnitude >= kSmallestNormal) {
    const std::uint32_t even = (magnitude >> 13) & 1;
    return with_sign((magnitude - kBiasChange + 0xFFF + even) >> 13);
  }
  // The last place of 0.5 is 2^-24, as it is for subnormal float16 numbers, so adding 0.5 rounds to it.
  const float half = 0.5F;
  const std::uint32_t code =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + half) - std::bit_cast<std::uint32_t>(half);
  if (code != 0 || magnitude == 0) return with_sign(code);
  ++changes.too_small;
  return with_sign(kSmallest16);
}

void to_float16(std::span<const std::byte> values, std::span<std::byte> out, Float16Changes& changes) {
  assert(values.size() == out.size() * 2);
  for (std::size_t i = 0; i < out.size() / 2; ++i) {
    float value = 0;
    std::memcpy(&value, values.data() + i * sizeof(float), sizeof(float));
    const std::uint16_t code = to_float16(value, changes);
    std::memcpy(out.data() + i * sizeof(code), &code, sizeof(code));
  }
}

Tensor to_float16(const Tensor& values) {
  assert(values.type() == ElementType::float32);
  std::vector<std::byte> bytes(values.bytes().size() / 2);
  Float16Changes changes;
  to_float16(values.bytes(), bytes, changes);
  return Tensor::make(ElementType::float16, values.shape(), Buffer::own(std::move(bytes))).value();
}

Tensor limit_to_float16(const Tensor& values) {
  if (values.type() != ElementType::float32) return values;
  const auto is_beyond = [](float value) { return std::isfinite(value) && std::abs(value) > kLargest; };
  std::vector<std::byte> bytes;  // a copy, once a value is beyond
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    const auto value = values.load<float>(i);
    if (!is_beyond(value)) continue;
    if (bytes.empty()) bytes.assign(values.bytes().begin(), values.bytes().end());
    const float limited = std::copysign(kLargest, value);
    std::memcpy(bytes.data() + i * sizeof(float), &limited, sizeof(float));
  }
  if (bytes.empty()) return values;
  return Tensor::make(ElementType::float32, values.shape(), Buffer::own(std::move(bytes))).value();
}

}  // namespace assay::tensor
