// A switch on the element type selects a loop for each kind of number. The common types are plain loops that the
// compiler vectorises; the others are rare and go through tensor::read_doubles.
#include "stats/read_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>

#include "tensor/convert.h"

namespace assay::stats {
namespace {

using tensor::ElementKind;
using tensor::ElementType;
using tensor::Tensor;

float from_float16(std::uint16_t half) {
  constexpr std::uint32_t kExponent = 0x7c00U << 13;
  std::uint32_t bits = (half & 0x7fffU) << 13;
  const std::uint32_t exponent = bits & kExponent;
  bits += (127U - 15U) << 23;
  if (exponent == kExponent) {
    bits += (128U - 16U) << 23;  // infinity and NaN
  } else if (exponent == 0) {    // zero and subnormals
    bits += 1U << 23;
    bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(bits) - std::bit_cast<float>(113U << 23));
  }
  return std::bit_cast<float>(bits | (half & 0x8000U) << 16);
}

float from_bfloat16(std::uint16_t half) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}

// Prefetches the next block, which most likely follows, while this one is processed.
void prefetch(const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 64;
  for (std::uint64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at);
}

// Reads elements of the C++ type T and turns each into a number with `convert`.
template <class T, class Number, class Convert>
void read_as(const Tensor& tensor, std::uint64_t begin, std::size_t count, Number* out, Convert convert) {
  const std::byte* from = tensor.bytes().data() + begin * sizeof(T);
  prefetch(from + count * sizeof(T), std::min(count, tensor.size() - begin - count) * sizeof(T));
  if constexpr (std::is_same_v<T, Number>) {
    std::memcpy(out, from, count * sizeof(T));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, from + i * sizeof(T), sizeof(T));
      out[i] = static_cast<Number>(convert(value));
    }
  }
}

template <class T, class Number>
void read_plain(const Tensor& tensor, std::uint64_t begin, std::size_t count, Number* out) {
  read_as<T>(tensor, begin, count, out, [](T value) { return value; });
}

template <class Number>
void read_rare(const Tensor& tensor, std::uint64_t begin, std::size_t count, Number* out) {
  std::array<double, kBlock> doubles;
  tensor::read_doubles(tensor, begin, std::span(doubles).first(count));
  std::copy_n(doubles.begin(), count, out);
}

template <class Number>
void read_any(const Tensor& tensor, std::uint64_t begin, std::size_t count, Number* out) {
  switch (tensor.type()) {
    case ElementType::float32:
      return read_plain<float>(tensor, begin, count, out);
    case ElementType::float64:
      return read_plain<double>(tensor, begin, count, out);
    case ElementType::float16:
      return read_as<std::uint16_t>(tensor, begin, count, out, from_float16);
    case ElementType::bfloat16:
      return read_as<std::uint16_t>(tensor, begin, count, out, from_bfloat16);
    case ElementType::boolean:
      return read_as<std::uint8_t>(tensor, begin, count, out, [](std::uint8_t value) { return value != 0; });
    case ElementType::int8:
      return read_plain<std::int8_t>(tensor, begin, count, out);
    case ElementType::uint8:
      return read_plain<std::uint8_t>(tensor, begin, count, out);
    case ElementType::int16:
      return read_plain<std::int16_t>(tensor, begin, count, out);
    case ElementType::uint16:
      return read_plain<std::uint16_t>(tensor, begin, count, out);
    case ElementType::int32:
      return read_plain<std::int32_t>(tensor, begin, count, out);
    case ElementType::uint32:
      return read_plain<std::uint32_t>(tensor, begin, count, out);
    case ElementType::int64:
      return read_plain<std::int64_t>(tensor, begin, count, out);
    case ElementType::uint64:
      return read_plain<std::uint64_t>(tensor, begin, count, out);
    default:
      return read_rare(tensor, begin, count, out);
  }
}

}  // namespace

void read_block(const Tensor& tensor, std::uint64_t begin, std::size_t count, float* out) {
  read_any(tensor, begin, count, out);
}
void read_block(const Tensor& tensor, std::uint64_t begin, std::size_t count, double* out) {
  read_any(tensor, begin, count, out);
}
void read_block(const Tensor& tensor, std::uint64_t begin, std::size_t count, __int128* out) {
  read_any(tensor, begin, count, out);
}

Tensor as_pairs(const Tensor& tensor) {
  tensor::Shape shape = tensor.shape();
  shape.push_back(2);
  const ElementType type = tensor.type() == ElementType::complex64 ? ElementType::float32 : ElementType::float64;
  return Tensor::make(type, std::move(shape), tensor.buffer()).value();
}

bool is_numeric(ElementType type) {
  return tensor::is_real(type);
}

bool is_floating(ElementType type) {
  return tensor::info(type).kind == ElementKind::floating;
}

bool fits_float(ElementType type) {
  const std::size_t bits = tensor::info(type).bits;
  return is_floating(type) ? bits <= 32 : bits <= 16;
}

}  // namespace assay::stats
