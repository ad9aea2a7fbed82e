// Each value is mapped to its place: an integer with the same order as the values of its type. The distance of two
// values is the difference of their places.
#include "stats/ulp_distance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/read_block.h"
#include "tensor/minifloat.h"
#include "tensor/packed.h"

namespace assay::stats {
namespace {

using tensor::ElementType;
using tensor::Tensor;

constexpr std::int64_t kNaN = std::numeric_limits<std::int64_t>::min();  // place of NaN

template <class Code>
std::int64_t place_of(Code code) {
  constexpr Code kSign = Code{1} << (sizeof(Code) * 8 - 1);
  const auto magnitude = static_cast<std::int64_t>(code & static_cast<Code>(~kSign));
  return (code & kSign) != 0 ? -magnitude : magnitude;
}

std::int64_t place_of(float value) {
  return std::isnan(value) ? kNaN : place_of(std::bit_cast<std::uint32_t>(value));
}
std::int64_t place_of(double value) {
  return std::isnan(value) ? kNaN : place_of(std::bit_cast<std::uint64_t>(value));
}

std::int64_t minifloat_place(ElementType type, std::uint16_t code) {
  if (std::isnan(tensor::decode_minifloat(type, code))) return kNaN;
  if (type == ElementType::float8e8m0) return code;  // has no sign bit
  const auto sign = static_cast<std::uint16_t>(1U << (tensor::info(type).bits - 1));
  const std::int64_t magnitude = code & (sign - 1);
  return (code & sign) != 0 ? -magnitude : magnitude;
}

// Returns the places of all values of a type of 16 bits or less, indexed by code.
const std::vector<std::int64_t>& minifloat_places(ElementType type) {
  constexpr std::size_t kTypes = 32;
  static const auto tables = [] {
    std::array<std::vector<std::int64_t>, kTypes> all;
    for (const tensor::ElementTypeInfo& row : tensor::element_types()) {
      if (!tensor::is_minifloat(row.type)) continue;
      auto& table = all.at(static_cast<std::size_t>(row.type));
      for (std::uint32_t code = 0; code < 1U << row.bits; ++code) {
        table.push_back(minifloat_place(row.type, static_cast<std::uint16_t>(code)));
      }
    }
    return all;
  }();
  return tables.at(static_cast<std::size_t>(type));
}

std::uint16_t load_code(const Tensor& tensor, std::uint64_t index, std::size_t bits) {
  if (bits == 16) return tensor.load<std::uint16_t>(index);
  if (bits == 8) return tensor.load<std::uint8_t>(index);
  return tensor::load_packed(tensor.bytes(), index, bits);
}

template <class Real>
void read_places(const Tensor& tensor, std::uint64_t begin, std::size_t count, std::int64_t* out) {
  std::array<Real, kBlock> values;
  read_block(tensor, begin, count, values.data());
  for (std::size_t i = 0; i < count; ++i) out[i] = place_of(values[i]);
}

void read_minifloat_places(const Tensor& tensor, ElementType type, std::uint64_t begin, std::size_t count,
                           std::int64_t* out) {
  const std::vector<std::int64_t>& places = minifloat_places(type);
  if (tensor.type() == type) {
    const std::size_t bits = tensor::info(type).bits;
    for (std::size_t i = 0; i < count; ++i) out[i] = places[load_code(tensor, begin + i, bits)];
    return;
  }
  std::array<double, kBlock> values;
  read_block(tensor, begin, count, values.data());
  for (std::size_t i = 0; i < count; ++i) out[i] = places[tensor::encode_minifloat(type, values[i])];
}

void read_places_in(ElementType type, const Tensor& tensor, std::uint64_t begin, std::size_t count, std::int64_t* out) {
  if (type == ElementType::float32) return read_places<float>(tensor, begin, count, out);
  if (type == ElementType::float64) return read_places<double>(tensor, begin, count, out);
  read_minifloat_places(tensor, type, begin, count, out);
}

// Returns the number of significant digits (bits); the type with fewer is the coarser one.
int digits(ElementType type) {
  if (type == ElementType::float64) return 53;
  if (type == ElementType::float32) return 24;
  if (type == ElementType::float8e8m0) return 0;
  const auto& places = minifloat_places(type);
  const std::size_t one = tensor::encode_minifloat(type, 1);
  const std::size_t two = tensor::encode_minifloat(type, 2);
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(places[two] - places[one])));
}

ElementType coarser(ElementType first, ElementType second) {
  if (!is_floating(first)) return second;
  if (!is_floating(second)) return first;
  return digits(second) < digits(first) ? second : first;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  if (a == kNaN || b == kNaN) return kNoUlp;
  const auto low = static_cast<std::uint64_t>(std::min(a, b));
  return static_cast<std::uint64_t>(std::max(a, b)) - low;
}

void read_integer_distances(const Tensor& first, const Tensor& second, std::uint64_t begin, std::size_t count,
                            std::uint64_t* out) {
  std::array<__int128, kBlock> a;
  std::array<__int128, kBlock> b;
  read_block(first, begin, count, a.data());
  read_block(second, begin, count, b.data());
  // Only a signed and an unsigned type can be 2^63 + 2^64 - 1 apart, which doesn't fit; it is clamped.
  constexpr __int128 kMost = kNoUlp - 1;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<std::uint64_t>(std::min(kMost, a[i] < b[i] ? b[i] - a[i] : a[i] - b[i]));
  }
}

}  // namespace

void read_ulp_distances(const Tensor& first, const Tensor& second, std::uint64_t begin, std::size_t count,
                        std::uint64_t* out) {
  const ElementType type = coarser(first.type(), second.type());
  std::array<std::int64_t, kBlock> a;
  std::array<std::int64_t, kBlock> b;
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t now = std::min(kBlock, count - done);
    if (!is_floating(type)) {
      read_integer_distances(first, second, begin + done, now, out + done);
      continue;
    }
    read_places_in(type, first, begin + done, now, a.data());
    read_places_in(type, second, begin + done, now, b.data());
    for (std::size_t i = 0; i < now; ++i) out[done + i] = distance(a[i], b[i]);
  }
}

}  // namespace assay::stats
