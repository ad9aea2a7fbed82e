// A small parser of Python literals reads the dictionary: strings, True and False, integers, tuples and lists. A header
// holds nothing else.
#include "tensor/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/counted.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::string_view kMagic = "\x93NUMPY";

base::Error malformed(std::string what) {
  return {ErrorKind::invalid_input, std::move(what), {}, "Use a complete file that numpy.save wrote"};
}

class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip_space();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool take_word(std::string_view word) {
    skip_space();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  // 'text' or "text", without escapes.
  bool string(std::string& value) {
    skip_space();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return false;
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return false;
    value = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return true;
  }

  bool boolean(bool& value) {
    if (take_word("True")) return value = true;
    value = false;
    return take_word("False");
  }

  // (1, 2), (1,), (); Python 2 wrote 1L for long integers.
  bool shape(Shape& value) {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_space();
      std::int64_t dim = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), dim);
      if (error != std::errc{} || dim < 0) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      take('L');
      value.push_back(dim);
      if (!take(',') && !at(')')) return false;
    }
    return true;
  }

  // 'descr', or [('field', 'descr')]. `fields` is the number of fields if they are others.
  bool descr(NpyHeader& header, std::size_t& fields) {
    if (!at('[')) return string(header.descr);
    const std::string_view begin = text_;
    if (take('[') && take('(') && string(header.field) && take(',') && string(header.descr) && (take(','), take(')')) &&
        (take(','), take(']'))) {
      return true;
    }
    text_ = begin;
    return items(fields);
  }

 private:
  // Skips a list or tuple of strings, integers, lists and tuples, and counts what is in it, but not in inner ones.
  bool items(std::size_t& count) {
    std::string closing;
    count = 0;
    do {
      if (take(',')) continue;
      if (!closing.empty() && take(closing.back())) {
        closing.pop_back();
        continue;
      }
      count += closing.size() == 1 ? 1 : 0;
      std::string skipped;
      if (take('[')) {
        closing += ']';
      } else if (take('(')) {
        closing += ')';
      } else if (at('\'') || at('"')) {
        if (!string(skipped)) return false;
      } else {
        const std::size_t end = std::min(text_.find_first_not_of("0123456789"), text_.size());
        if (end == 0) return false;
        text_.remove_prefix(end);
      }
    } while (!closing.empty());
    return count > 0;
  }
  void skip_space() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }
  bool at(char c) {
    skip_space();
    return !text_.empty() && text_.front() == c;
  }

  std::string_view text_;
};

// `fields`: the number of fields of a structured type that isn't one of ml_dtypes.
bool parse_dictionary(std::string_view text, NpyHeader& header, std::size_t& fields) {
  Literal literal(text);
  bool descr = false;
  bool order = false;
  bool shape = false;
  if (!literal.take('{')) return false;
  while (!literal.take('}')) {
    std::string key;
    if (!literal.string(key) || !literal.take(':')) return false;
    bool known = false;
    if (key == "descr") known = descr = literal.descr(header, fields);
    if (key == "fortran_order") known = order = literal.boolean(header.fortran_order);
    if (key == "shape" && header.shape.empty()) known = shape = literal.shape(header.shape);
    if (!known) return false;
    literal.take(',');
  }
  return descr && order && shape;
}

}  // namespace

base::Expected<NpyHeader> parse_npy_header(std::string_view file) {
  if (!file.starts_with(kMagic)) return fail(malformed("not an .npy array"));
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(file[i])); };
  if (file.size() < 10) return fail(malformed("the .npy array ends inside its header"));
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) {
    return fail(ErrorKind::unsupported, fmt::format("unknown .npy version {}.{}", version, byte(7)), {},
                "Save the array in version 1.0, 2.0 or 3.0");
  }
  const std::size_t begin = version == 1 ? 10 : 12;
  if (file.size() < begin) return fail(malformed("the .npy array ends inside its header"));
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (file.size() - begin < length) return fail(malformed("the .npy array ends inside its header"));

  NpyHeader header;
  header.data_offset = begin + length;
  const std::string_view dictionary = file.substr(begin, length);
  std::size_t fields = 0;
  if (!parse_dictionary(dictionary, header, fields)) {
    return fail(malformed(fmt::format("malformed .npy header: {}", dictionary.substr(0, 200))));
  }
  if (fields > 0) {
    return fail(ErrorKind::unsupported,
                fmt::format("a structured array with {} isn't a tensor", base::counted(fields, "field")), {},
                "Save each field as an array of its own");
  }
  return header;
}

std::string format_npy_header(const NpyHeader& header) {
  const std::string descr = header.field.empty() ? fmt::format("'{}'", header.descr)
                                                 : fmt::format("[('{}', '{}')]", header.field, header.descr);
  std::string text = fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", descr,
                                 header.fortran_order ? "True" : "False", format_shape(header.shape));
  if (!header.shape.empty()) {
    // NumPy pads the dimension along which a file can grow to 21 digits, so that data can be appended in place.
    const std::int64_t grows = header.fortran_order ? header.shape.back() : header.shape.front();
    text.append(21 - std::min<std::size_t>(21, fmt::formatted_size("{}", grows)), ' ');
  }
  const std::size_t used = kMagic.size() + 4 + text.size() + 1;
  text.append((64 - used % 64) % 64, ' ');
  text += '\n';
  std::string file(kMagic);
  file += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return file + text;
}

}  // namespace assay::tensor
