// NumPy's fixed-width strings: unicode ("<U5": UCS-4) and bytes ("|S5"), padded with zeros.
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

// The narrowest form that holds all values: descr as in an .npy header.
struct NpyStringForm {
  bool unicode = true;
  std::size_t width = 1;  // characters (or bytes) of the longest value, at least 1
  [[nodiscard]] std::string descr() const;
  [[nodiscard]] std::size_t item_bytes() const { return unicode ? 4 * width : width; }
};

// Errors: unsupported where a value ends in a zero, which the format cannot tell from padding.
base::Expected<NpyStringForm> npy_string_form(const std::vector<std::string>& values);
base::Status write_npy_strings(const std::vector<std::string>& values, const NpyStringForm& form, const ByteSink& sink);

// `data` has item_bytes() for each of `count` values. Errors: invalid_input where a character is not Unicode.
base::Expected<std::vector<std::string>> parse_npy_strings(std::span<const std::byte> data, std::uint64_t count,
                                                           const NpyStringForm& form, bool big_endian);

}  // namespace assay::tensor
