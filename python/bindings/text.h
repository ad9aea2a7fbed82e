// Text and paths that pass between C++ and Python. Neither needs to be valid UTF-8: models and engines may use any
// bytes, and so may names of files. The conversions of nanobind throw exceptions then, which would end the process in a
// thread that has no handler. All functions need the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace assay::python {

// Returns the text for Python. Bytes that aren't UTF-8 become the character U+FFFD.
nanobind::str to_text(std::string_view text);

// Returns the texts of a range of strings for Python, likewise.
template <class Texts>
nanobind::list to_texts(const Texts& texts) {
  nanobind::list list;
  for (const std::string& text : texts) list.append(to_text(text));
  return list;
}

// Returns the bytes of a path, of which Python represents those that aren't UTF-8 as lone surrogates. Throws Python's
// UnicodeEncodeError if it can't be a path.
std::string to_path(const nanobind::str& path);

}  // namespace assay::python
