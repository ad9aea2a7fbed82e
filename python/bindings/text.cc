#include "bindings/text.h"

namespace assay::python {

namespace nb = nanobind;

nb::str to_text(std::string_view text) {
  nb::str decoded = nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), std::ssize(text), "replace"));
  if (!decoded.is_valid()) throw nb::python_error();
  return decoded;
}

std::string to_path(const nb::str& path) {
  const auto encoded = nb::steal<nb::bytes>(PyUnicode_EncodeFSDefault(path.ptr()));
  if (!encoded.is_valid()) throw nb::python_error();
  return {encoded.c_str(), encoded.size()};
}

}  // namespace assay::python
