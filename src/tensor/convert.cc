// Every conversion goes through one of two wide types: int64 between integers, double otherwise. So each type needs one
// reader and one writer instead of a function per pair. Values pass in pieces that fit in the processor's cache.
// Floating-point types of 16 bits and less are decoded with a table of all their values.
#include "tensor/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <utility>

#include "tensor/minifloat.h"
#include "tensor/packed.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;
using enum ElementType;

constexpr std::size_t kPiece = 4096;  // elements

bool is_integer(ElementType type) {
  const ElementKind kind = info(type).kind;
  return kind == ElementKind::signed_integer || kind == ElementKind::unsigned_integer || kind == ElementKind::boolean;
}

template <class Element, class Wide>
void widen(const Tensor& tensor, std::uint64_t first, std::span<Wide> out) {
  const std::byte* bytes = tensor.bytes().data() + first * sizeof(Element);
  for (std::size_t i = 0; i < out.size(); ++i) {
    Element element;
    std::memcpy(&element, bytes + i * sizeof(Element), sizeof(Element));
    out[i] = static_cast<Wide>(element);
  }
}

// Returns the number that a code of less than 8 bits stands for.
std::int64_t small_integer(std::uint8_t code, const ElementTypeInfo& row) {
  const bool negative = row.kind == ElementKind::signed_integer && (code >> (row.bits - 1)) != 0;
  return negative ? std::int64_t{code} - (std::int64_t{1} << row.bits) : code;
}

// All values of a minifloat type, by code.
const double* minifloat_table(ElementType type) {
  constexpr std::size_t kTypes = 32;
  static const auto tables = [] {
    std::array<std::vector<double>, kTypes> all;
    for (const ElementTypeInfo& row : element_types()) {
      if (!is_minifloat(row.type)) continue;
      auto& table = all.at(static_cast<std::size_t>(row.type));
      for (std::uint32_t code = 0; code < 1U << row.bits; ++code) {
        table.push_back(decode_minifloat(row.type, static_cast<std::uint16_t>(code)));
      }
    }
    return all;
  }();
  return tables.at(static_cast<std::size_t>(type)).data();
}

void widen_minifloats(const Tensor& tensor, std::uint64_t first, std::span<double> out) {
  const double* table = minifloat_table(tensor.type());
  const std::size_t bits = info(tensor.type()).bits;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = first + i;
    if (bits == 16) {
      out[i] = table[tensor.load<std::uint16_t>(at)];
    } else {
      out[i] = table[bits == 8 ? tensor.load<std::uint8_t>(at) : load_packed(tensor.bytes(), at, bits)];
    }
  }
}

template <class Wide>
void widen_integers(const Tensor& tensor, std::uint64_t first, std::span<Wide> out) {
  switch (tensor.type()) {
    case boolean:
      widen<std::uint8_t>(tensor, first, out);
      std::ranges::transform(out, out.begin(), [](Wide value) { return static_cast<Wide>(value != 0); });
      return;
    case uint8:
      return widen<std::uint8_t>(tensor, first, out);
    case int8:
      return widen<std::int8_t>(tensor, first, out);
    case uint16:
      return widen<std::uint16_t>(tensor, first, out);
    case int16:
      return widen<std::int16_t>(tensor, first, out);
    case uint32:
      return widen<std::uint32_t>(tensor, first, out);
    case int32:
      return widen<std::int32_t>(tensor, first, out);
    case uint64:
      return widen<std::uint64_t>(tensor, first, out);
    case int64:
      return widen<std::int64_t>(tensor, first, out);
    default:
      break;
  }
  const ElementTypeInfo& row = info(tensor.type());
  assert(is_integer(tensor.type()) && row.bits < 8);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<Wide>(small_integer(load_packed(tensor.bytes(), first + i, row.bits), row));
  }
}

// Converts to an integer as C does. Where C leaves the result undefined, returns what 64-bit x86 processors return.
std::int64_t truncate(double value) {
  if (!(std::fabs(value) < 9223372036854775808.0)) {
    if (value >= 0 && value < 18446744073709551616.0)
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
    return std::numeric_limits<std::int64_t>::min();
  }
  return static_cast<std::int64_t>(value);
}

// Stores numbers one after another as elements of a type. Packed types take one byte per element until take().
class Builder {
 public:
  Builder(ElementType type, Shape shape) : type_(type), shape_(std::move(shape)) {
    count_ = element_count(shape_).value_or(0);
    bits_ = info(type).bits;
    item_ = std::max<std::size_t>(1, bits_ / 8);
    bytes_.resize(static_cast<std::size_t>(count_) * item_);
  }

  void add(double value) {
    switch (type_) {
      case float32:
        return put(static_cast<float>(value));
      case float64:
        return put(value);
      case complex64:
        return put(std::complex<float>(static_cast<float>(value)));
      case complex128:
        return put(std::complex<double>(value));
      case boolean:
        return put(static_cast<std::uint8_t>(value != 0));
      case int32:
        return put(std::fabs(value) <= 2147483648.0 ? truncate(value) : std::numeric_limits<std::int32_t>::min());
      default:
        if (is_minifloat(type_)) return put(encode_minifloat(type_, value));
        return put(truncate(value));
    }
  }

  void add(std::int64_t value) {
    if (type_ == ElementType::float32) return put(static_cast<float>(value));  // a double in between would round twice
    if (!is_integer(type_)) return add(static_cast<double>(value));
    put(type_ == boolean ? std::int64_t{value != 0} : value);
  }

  Tensor take() && {
    Buffer data = Buffer::own(bits_ < 8 ? pack(bytes_, bits_) : std::move(bytes_));
    return Tensor::make(type_, std::move(shape_), std::move(data)).value();
  }

 private:
  // Narrows a value by copying its low bytes, which come first in little-endian order.
  template <class Value>
  void put(Value value) {
    assert(at_ + item_ <= bytes_.size());
    std::memcpy(bytes_.data() + at_, &value, std::min(item_, sizeof(value)));
    at_ += item_;
  }

  ElementType type_;
  Shape shape_;
  std::uint64_t count_ = 0;
  std::size_t bits_ = 0;
  std::size_t item_ = 1;
  std::size_t at_ = 0;
  std::vector<std::byte> bytes_;
};

template <class Wide, class Read>
Tensor build(ElementType type, const Tensor& from, Read&& read) {
  Builder builder(type, from.shape());
  std::array<Wide, kPiece> piece;
  for (std::uint64_t first = 0; first < from.size(); first += kPiece) {
    const auto values =
        std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, from.size() - first)));
    read(from, first, values);
    for (const Wide value : values) builder.add(value);
  }
  return std::move(builder).take();
}

}  // namespace

bool is_real(ElementType type) {
  return is_integer(type) || info(type).kind == ElementKind::floating;
}

void read_doubles(const Tensor& tensor, std::uint64_t first, std::span<double> out) {
  assert(is_real(tensor.type()) && first + out.size() <= tensor.size());
  if (tensor.type() == float32) return widen<float>(tensor, first, out);
  if (tensor.type() == float64) return widen<double>(tensor, first, out);
  if (is_minifloat(tensor.type())) return widen_minifloats(tensor, first, out);
  widen_integers(tensor, first, out);
}

std::vector<double> to_doubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<std::size_t>(tensor.size()));
  read_doubles(tensor, 0, values);
  return values;
}

void read_integers(const Tensor& tensor, std::uint64_t first, std::span<std::int64_t> out) {
  assert(is_integer(tensor.type()) && first + out.size() <= tensor.size());
  widen_integers(tensor, first, out);
}

base::Expected<Tensor> cast(const Tensor& tensor, ElementType type) {
  if (tensor.type() == type) return tensor;
  const bool to_number = is_real(type) || info(type).kind == ElementKind::complex;
  if (!to_number || !is_real(tensor.type())) {
    return fail(ErrorKind::unsupported,
                fmt::format("a {} tensor cannot be cast to {}", name(tensor.type()), name(type)));
  }
  const bool reads_exactly = is_integer(tensor.type()) && (is_integer(type) || tensor.type() != ElementType::uint64);
  if (reads_exactly) return build<std::int64_t>(type, tensor, read_integers);
  return build<double>(type, tensor, read_doubles);
}

Tensor from_doubles(ElementType type, Shape shape, std::span<const double> values) {
  assert(element_count(shape) == values.size());
  if (type == ElementType::float32) {  // by far the most common; the compiler vectorises this loop
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<float>(values[i]);
      std::memcpy(bytes.data() + i * sizeof(value), &value, sizeof(value));
    }
    return Tensor::make(type, std::move(shape), Buffer::own(std::move(bytes))).value();
  }
  Builder builder(type, std::move(shape));
  for (const double value : values) builder.add(value);
  return std::move(builder).take();
}

}  // namespace assay::tensor
