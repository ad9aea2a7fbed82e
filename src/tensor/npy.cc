// Reading copies only if it must: elements in C order and little-endian are a view of the file, so a mapped file of
// gigabytes costs nothing until its elements are used. An array in Fortran order is read as a C array with its
// dimensions reversed and then transposed.
#include "tensor/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "tensor/npy_header.h"
#include "tensor/npy_strings.h"
#include "tensor/packed.h"
#include "tensor/transpose.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

// The form in which elements are stored in the file.
struct Items {
  ElementType type = ElementType::undefined;
  std::size_t bytes = 0;      // of one element
  std::size_t component = 1;  // bytes that are reversed in the other byte order: half of a complex element, else all
  bool big_endian = false;
  bool unpacked = false;  // one byte per element, though the type is packed in memory
  NpyStringForm strings;
};

// The parts of a descr: byte order, kind, number.
struct Descr {
  char order = '|';
  char kind = 0;
  std::size_t number = 0;
};

std::optional<Descr> parse_descr(std::string_view text) {
  Descr descr;
  if (!text.empty() && std::string_view("<>|=").find(text.front()) != std::string_view::npos) {
    descr.order = text.front();
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  descr.kind = text.front();
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), descr.number);
  if (end != text.data() + text.size() || (error != std::errc{} && text.size() > 1)) return std::nullopt;
  return descr;
}

std::size_t item_bytes(ElementType type) {
  return std::max<std::size_t>(1, info(type).bits / 8);
}

// Finds the type with this kind and width; ignores the byte order.
ElementType find_type(const Descr& descr) {
  for (const ElementTypeInfo& row : element_types()) {
    const auto known = parse_descr(row.npy_descr);
    if (known && known->kind == descr.kind && known->number == descr.number) return row.type;
  }
  if (descr.kind == 'V' && descr.number == 2) return ElementType::bfloat16;
  if (descr.kind == 'f' && descr.number == 1) return ElementType::float8e5m2;
  return ElementType::undefined;
}

base::Error cannot_read(const NpyHeader& header) {
  if (header.descr == "|O" || header.descr == "O") {
    return {ErrorKind::unsupported,
            "an .npy array of Python objects cannot be read: it is a pickle, which can run code",
            {},
            "Save it with a plain type; strings with array.astype(str)"};
  }
  const std::string fix =
      header.descr.ends_with("V1")
          ? "NumPy does not store which 1-byte type it was; save it as array.view([(array.dtype.name, 'u1')])"
          : "Convert it to a type that ONNX has before saving it";
  return {ErrorKind::unsupported, fmt::format("an .npy array of type '{}' cannot be read", header.descr), {}, fix};
}

base::Expected<Items> read_items(const NpyHeader& header) {
  const auto descr = parse_descr(header.descr);
  if (!descr) return fail(cannot_read(header));
  Items items;
  items.big_endian = descr->order == '>';
  if (descr->kind == 'U' || descr->kind == 'S' || descr->kind == 'a') {
    items.type = ElementType::string;
    items.strings = {.unicode = descr->kind == 'U', .width = descr->number};
    if (descr->number > std::numeric_limits<std::uint32_t>::max()) return fail(cannot_read(header));
    items.bytes = items.strings.item_bytes();
    return items;
  }
  items.type =
      header.field.empty() ? find_type(*descr) : parse_element_type(header.field).value_or(ElementType::undefined);
  const ElementTypeInfo& row = info(items.type);
  items.bytes = item_bytes(items.type);
  if (row.bits == 0 || items.bytes != descr->number) return fail(cannot_read(header));
  items.component = row.kind == ElementKind::complex ? items.bytes / 2 : items.bytes;
  items.unpacked = row.bits < 8;
  return items;
}

Buffer swap_bytes(std::span<const std::byte> data, std::size_t component) {
  std::vector<std::byte> result(data.begin(), data.end());
  for (std::size_t i = 0; i < result.size(); i += component) {
    std::reverse(result.begin() + i, result.begin() + i + component);
  }
  return Buffer::own(std::move(result));
}

base::Expected<Tensor> make_tensor(const Items& items, Shape shape, std::uint64_t count, Buffer data) {
  if (items.type == ElementType::string) {
    ASSAY_ASSIGN(auto values, parse_npy_strings(data.bytes(), count, items.strings, items.big_endian));
    return Tensor::make_strings(std::move(shape), std::move(values));
  }
  if (items.big_endian && items.component > 1) data = swap_bytes(data.bytes(), items.component);
  if (items.unpacked) data = Buffer::own(pack(data.bytes(), info(items.type).bits));
  return Tensor::make(items.type, std::move(shape), std::move(data));
}

NpyHeader header_of(const Tensor& tensor) {
  const ElementTypeInfo& row = info(tensor.type());
  NpyHeader header{.descr = std::string(row.npy_descr), .field = {}, .fortran_order = false, .shape = tensor.shape()};
  if (header.descr.empty()) {
    header.field = row.name;
    header.descr = item_bytes(tensor.type()) == 2 ? "<u2" : "|u1";
  }
  return header;
}

}  // namespace

base::Expected<Tensor> parse_npy(const Buffer& file) {
  ASSAY_ASSIGN(const NpyHeader header, parse_npy_header(file.view()));
  ASSAY_ASSIGN(const Items items, read_items(header));
  const auto count = element_count(header.shape);
  const auto available = file.bytes().subspan(header.data_offset);
  if (!count || (items.bytes > 0 && *count > available.size() / items.bytes)) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the .npy array of shape {} with {} bytes per element has only {} bytes of data",
                            format_shape(header.shape), items.bytes, available.size()),
                {}, "The file may be truncated: copy or create it again");
  }
  if (items.bytes == 0 && *count > available.size() + 1024) {
    return fail(ErrorKind::invalid_input, "the .npy array claims to hold implausibly many empty strings");
  }
  auto data =
      Buffer(available.first(static_cast<std::size_t>(*count) * items.bytes), std::make_shared<const Buffer>(file));
  Shape shape = header.shape;
  // Fortran order is C order with the axes reversed.
  if (header.fortran_order) std::ranges::reverse(shape);
  ASSAY_ASSIGN(Tensor tensor, make_tensor(items, std::move(shape), *count, std::move(data)));
  if (!header.fortran_order || header.shape.size() < 2) return tensor;
  std::vector<std::size_t> axes(header.shape.size());
  std::iota(axes.rbegin(), axes.rend(), 0);
  return transpose(tensor, axes);
}

base::Status write_npy(const Tensor& tensor, const ByteSink& sink) {
  NpyHeader header = header_of(tensor);
  if (tensor.type() == ElementType::undefined) {
    return fail(ErrorKind::invalid_input, "a tensor without a type cannot be saved");
  }
  if (tensor.type() == ElementType::string) {
    ASSAY_ASSIGN(const NpyStringForm form, npy_string_form(tensor.strings()));
    header.descr = form.descr();
    header.field.clear();
    ASSAY_TRY(sink(format_npy_header(header)));
    return write_npy_strings(tensor.strings(), form, sink);
  }
  ASSAY_TRY(sink(format_npy_header(header)));
  const std::size_t bits = info(tensor.type()).bits;
  if (bits >= 8) return sink(tensor.buffer().view());
  return sink(Buffer::own(unpack(tensor.bytes(), tensor.size(), bits)).view());
}

base::Expected<std::string> format_npy(const Tensor& tensor) {
  std::string file;
  ASSAY_TRY(write_npy(tensor, [&](std::string_view bytes) -> base::Status {
    file += bytes;
    return {};
  }));
  return file;
}

}  // namespace assay::tensor
