// Reads and writes NumPy's fixed-width strings: unicode ("<U5": UCS-4) and bytes ("|S5"), padded with zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/byte_sink.h"

namespace assay::tensor {

// The form in which an array's strings are stored.
struct NpyStringForm {
  bool unicode = true;
  std::size_t width = 1;  // length of the longest value in characters (unicode) or bytes, at least 1
  // Returns the type as in an .npy header.
  [[nodiscard]] std::string descr() const;
  [[nodiscard]] std::size_t item_bytes() const { return unicode ? 4 * width : width; }
};

// Returns the narrowest form that holds all values. Errors: unsupported if a value ends in a zero, because the format
// can't distinguish it from padding.
base::Expected<NpyStringForm> npy_string_form(const std::vector<std::string>& values);
base::Status write_npy_strings(const std::vector<std::string>& values, const NpyStringForm& form, const ByteSink& sink);

// Parses `count` values of form.item_bytes() bytes each. Errors: invalid_input if a character isn't Unicode.
base::Expected<std::vector<std::string>> parse_npy_strings(std::span<const std::byte> data, std::uint64_t count,
                                                           const NpyStringForm& form, bool big_endian);

}  // namespace assay::tensor
