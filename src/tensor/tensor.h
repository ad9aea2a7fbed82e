// A tensor in memory, or a view of one in a file or in another process's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

// Returns the product of the dimensions, or nullopt if one is negative or the product overflows.
std::optional<std::uint64_t> element_count(const Shape& shape);
// Estimates a tensor's size in bytes from its declaration: 64 bytes per string, 8 per element of unknown type. At most
// 1 TiB, because models may declare tensors that fit in no memory, and sums of many sizes must not overflow.
std::uint64_t declared_bytes(ElementType type, const Shape& shape);

// Formats a shape as numpy does: "(1, 3, 224, 224)", "(5,)", "()".
std::string format_shape(const Shape& shape);

// Bytes with shared ownership of what holds them: a vector, a mapped file, shared memory. Copies share the bytes.
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

// Immutable. Elements are dense, in row-major order and little-endian (the only byte order that Assay supports); types
// below 8 bits are packed as ONNX packs them. Bytes may be unaligned: read elements with load() or copy them.
class Tensor {
 public:
  Tensor() = default;
  // Creates a tensor of any type except string. Errors: invalid_input if `data` isn't as long as type and shape need.
  static base::Expected<Tensor> make(ElementType type, Shape shape, Buffer data);
  // Errors: invalid_input if the number of values doesn't match the shape.
  static base::Expected<Tensor> make_strings(Shape shape, std::vector<std::string> values);
  // Creates a tensor from values of a C++ type that has the element type's size; for constants and tests. Throws if the
  // sizes don't match.
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

  // Returns element `index`. T must be the C++ representation of the element type, which must not be packed.
  template <class T>
  [[nodiscard]] T load(std::uint64_t index) const {
    T value;
    __builtin_memcpy(&value, data_.bytes().data() + index * sizeof(T), sizeof(T));
    return value;
  }

  // Returns type and shape: "float32, shape=(1, 3)".
  [[nodiscard]] std::string describe() const;

 private:
  ElementType type_ = ElementType::undefined;
  Shape shape_;
  std::uint64_t size_ = 0;
  Buffer data_;
  std::shared_ptr<const std::vector<std::string>> strings_;
};

// Returns true if type, shape and bytes are the same; -0.0 differs from 0.0, and a NaN equals the same NaN.
bool identical(const Tensor& a, const Tensor& b);

// Tensors by name, in the order in which they were added; usually one iteration's inputs or outputs.
class NamedTensors {
 public:
  using Item = std::pair<std::string, Tensor>;

  // Adds a tensor, or replaces the one of the same name at its position.
  void set(std::string name, Tensor tensor);
  [[nodiscard]] const Tensor* find(std::string_view name) const;  // null if there is none; valid until the next set()
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }

 private:
  std::vector<Item> items_;
  std::map<std::string, std::size_t, std::less<>> index_;  // by name, in items_
};

}  // namespace assay::tensor
