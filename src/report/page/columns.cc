#include "report/page/columns.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cassert>
#include <span>

#include "tensor/base64.h"

namespace assay::report {
namespace {

static_assert(std::endian::native == std::endian::little);

void pad(std::string& bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
}

std::string compress_bytes(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string compressed(size, '\0');
  [[maybe_unused]] const int status = compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                                                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 9);
  assert(status == Z_OK);  // the buffer is large enough
  compressed.resize(size);
  return compressed;
}

}  // namespace

template <typename T>
void Columns::append(std::string_view name, std::string_view type, const std::vector<T>& values) {
  header_ +=
      fmt::format("{}\"{}\":[\"{}\",{},{}]", header_.empty() ? "" : ",", name, type, bytes_.size(), values.size());
  bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  pad(bytes_);
}

void Columns::add(std::string_view name, const std::vector<double>& values) {
  append(name, "f64", values);
}
void Columns::add(std::string_view name, const std::vector<std::int32_t>& values) {
  append(name, "i32", values);
}
void Columns::add(std::string_view name, const std::vector<std::uint32_t>& values) {
  append(name, "u32", values);
}
void Columns::add(std::string_view name, const std::vector<std::uint8_t>& values) {
  append(name, "u8", values);
}

std::uint32_t Columns::text(std::string_view text) {
  const auto [entry, added] = texts_.try_emplace(std::string(text), static_cast<std::uint32_t>(text_ends_.size()));
  if (added) {
    text_bytes_.insert(text_bytes_.end(), text.begin(), text.end());
    text_ends_.push_back(static_cast<std::uint32_t>(text_bytes_.size()));
  }
  return entry->second;
}

std::string Columns::encode() {
  add("text_bytes", text_bytes_);
  add("text_ends", text_ends_);
  const std::string header = "{" + header_ + "}";
  std::string block(4, '\0');
  for (int byte = 0; byte < 4; ++byte) {
    block[static_cast<std::size_t>(byte)] = static_cast<char>((header.size() >> (8 * byte)) & 0xff);
  }
  block += header;
  pad(block);
  block += bytes_;
  const std::string compressed = compress_bytes(block);
  return tensor::encode_base64(std::as_bytes(std::span(compressed)));
}

}  // namespace assay::report
