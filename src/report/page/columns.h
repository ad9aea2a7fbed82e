// The data of the page's interactive views: typed columns in one block of bytes, compressed and in base64.
// web/columns.js reads it.
//
// The block is the length of a JSON header (uint32), the header, and the columns, each at a multiple of 8 bytes. The
// header maps a column's name to its type ("f64", "i32", "u32" or "u8"), its offset behind the header's end, rounded up
// to 8, and its number of elements. Numbers are little endian. Texts are indices into one table of different texts,
// whose bytes (UTF-8) and ends are columns, too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::report {

class Columns {
 public:
  void add(std::string_view name, const std::vector<double>& values);
  void add(std::string_view name, const std::vector<std::int32_t>& values);
  void add(std::string_view name, const std::vector<std::uint32_t>& values);
  void add(std::string_view name, const std::vector<std::uint8_t>& values);

  // Returns the index of a text in the table of texts.
  std::uint32_t text(std::string_view text);

  // Adds the table of texts, and returns the block, compressed (zlib), in base64.
  std::string encode();

 private:
  template <typename T>
  void append(std::string_view name, std::string_view type, const std::vector<T>& values);
  std::string header_;  // without the braces around it
  std::string bytes_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::vector<std::uint8_t> text_bytes_;
  std::vector<std::uint32_t> text_ends_;
};

}  // namespace assay::report
