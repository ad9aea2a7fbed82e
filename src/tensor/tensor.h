// A tensor in memory, or a view of one in a file or in another process's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tensor/element_type.h"

namespace assay::tensor {

using Shape = std::vector<std::int64_t>;  // all dimensions known, none negative; {} is a scalar

// Product of the dimensions; nullopt where one is negative or the product overflows.
std::optional<std::uint64_t> element_count(const Shape& shape);
// Bytes that a tensor takes of which no more is known, for estimates: 64 for a string, 8 for an element of unknown
// type. At most 1 TiB, as models may declare what no memory holds: so sums of many do not overflow.
std::uint64_t declared_bytes(ElementType type, const Shape& shape);

// "(1, 3, 224, 224)", "(5,)", "()", as numpy prints shapes.
std::string format_shape(const Shape& shape);

// Bytes that somebody keeps alive: a vector, a mapped file, shared memory. Copying shares, never copies the bytes.
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : bytes_(bytes), owner_(std::move(owner)) {}
  // Takes over the bytes.
  static Buffer own(std::vector<std::byte> bytes);
  static Buffer own(std::string bytes);

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

// Immutable once made. Elements are dense, in row-major order, little-endian (the only byte order we run on); types
// below 8 bits are packed as ONNX packs them. Bytes need not be aligned: read elements with load() or copy them out.
class Tensor {
 public:
  Tensor() = default;
  // Fails where the number of bytes is not what type and shape need. Not for strings.
  static base::Expected<Tensor> make(ElementType type, Shape shape, Buffer data);
  static base::Expected<Tensor> make_strings(Shape shape, std::vector<std::string> values);
  // From values of a C++ type of the same size as the element type; for constants and tests. Asserts that sizes agree.
  template <class T>
  static Tensor of(ElementType type, Shape shape, const std::vector<T>& values) {
    const auto* begin = reinterpret_cast<const std::byte*>(values.data());
    return make(type, std::move(shape), Buffer::own(std::vector<std::byte>(begin, begin + values.size() * sizeof(T))))
        .value();
  }

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }                        // number of elements
  [[nodiscard]] std::span<const std::byte> bytes() const { return data_.bytes(); }  // empty for strings
  [[nodiscard]] const Buffer& buffer() const { return data_; }
  [[nodiscard]] const std::vector<std::string>& strings() const;  // empty for all other types

  // Element `index` of a type whose C++ representation is T (same size, not packed).
  template <class T>
  [[nodiscard]] T load(std::uint64_t index) const {
    T value;
    __builtin_memcpy(&value, data_.bytes().data() + index * sizeof(T), sizeof(T));
    return value;
  }

  // "float32, shape=(1, 3)"
  [[nodiscard]] std::string describe() const;

 private:
  ElementType type_ = ElementType::undefined;
  Shape shape_;
  std::uint64_t size_ = 0;
  Buffer data_;
  std::shared_ptr<const std::vector<std::string>> strings_;
};

// Same type, shape and bytes (so -0.0 differs from 0.0, and a NaN equals the same NaN).
bool identical(const Tensor& a, const Tensor& b);

// Tensors by name, in the order in which they were added: one iteration's inputs or outputs.
class NamedTensors {
 public:
  using Item = std::pair<std::string, Tensor>;

  // Replaces a tensor of the same name, in its place.
  void set(std::string name, Tensor tensor);
  [[nodiscard]] const Tensor* find(std::string_view name) const;  // null where there is none
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }

 private:
  std::vector<Item> items_;
  std::vector<std::pair<std::string, std::size_t>> index_;  // sorted by name
};

}  // namespace assay::tensor
