// Small texts are collected in a buffer; pieces of arrays, which are most of a file, go directly to the sink. The only
// state besides the buffer is one flag per open bracket, so the size of a document doesn't matter.
#include "tensor/json_writer.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

#include "base/utf8.h"
#include "tensor/base64.h"
#include "tensor/npy.h"

namespace assay::tensor {
namespace {

constexpr std::size_t kBuffer = 1 << 20;  // bytes; a few large writes are cheaper than many small ones
constexpr std::size_t kLarge = 1 << 16;   // bytes; larger texts (pieces of arrays) bypass the buffer
constexpr base::Character kReplacement = {.code = 0xFFFD, .length = 1};  // of a byte that isn't UTF-8

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  const auto out = std::back_inserter(quoted);
  while (!text.empty()) {
    const base::Character next = base::first_character(text).value_or(kReplacement);
    text.remove_prefix(next.length);
    switch (const std::uint32_t c = next.code) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\f':
        quoted += "\\f";
        break;
      case '\b':
        quoted += "\\b";
        break;
      default:
        if (c >= 0x20 && c < 0x7F) {
          quoted += static_cast<char>(c);
        } else if (c > 0xFFFF) {
          fmt::format_to(out, "\\u{:04x}\\u{:04x}", 0xD7C0 + (c >> 10), 0xDC00 + (c & 0x3FF));
        } else {
          fmt::format_to(out, "\\u{:04x}", c);
        }
    }
  }
  return quoted + '"';
}

}  // namespace

void JsonWriter::put(std::string_view text) {
  if (text.size() >= kLarge) {
    flush();
    if (status_) status_ = sink_(text);
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= kBuffer) flush();
}

void JsonWriter::flush() {
  if (status_ && !buffer_.empty()) status_ = sink_(buffer_);
  buffer_.clear();
}

void JsonWriter::new_line() {
  put("\n");
  put(std::string(4 * empty_.size(), ' '));
}

void JsonWriter::begin_value() {
  if (!after_key_ && !empty_.empty()) {
    if (!empty_.back()) put(",");
    empty_.back() = false;
    new_line();
  }
  after_key_ = false;
}

void JsonWriter::key(std::string_view name) {
  assert(!after_key_ && !empty_.empty());
  begin_value();
  put(quote(name));
  put(": ");
  after_key_ = true;
}

void JsonWriter::open(char bracket) {
  begin_value();
  put({&bracket, 1});
  empty_.push_back(true);
}

void JsonWriter::close(char bracket) {
  assert(!empty_.empty() && !after_key_);
  const bool empty = empty_.back();
  empty_.pop_back();
  if (!empty) new_line();
  put({&bracket, 1});
}

void JsonWriter::string(std::string_view value) {
  begin_value();
  put(quote(value));
}

void JsonWriter::number(double value) {
  begin_value();
  if (std::isnan(value)) return put("NaN");
  if (std::isinf(value)) return put(value > 0 ? "Infinity" : "-Infinity");
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  put(text);
}

void JsonWriter::integer(std::int64_t value) {
  begin_value();
  put(fmt::format("{}", value));
}

void JsonWriter::unsigned_integer(std::uint64_t value) {
  begin_value();
  put(fmt::format("{}", value));
}

void JsonWriter::boolean(bool value) {
  begin_value();
  put(value ? "true" : "false");
}

void JsonWriter::null() {
  begin_value();
  put("null");
}

void JsonWriter::array(const Tensor& tensor) {
  begin_object();
  key("array");
  begin_value();
  put("\"");
  Base64Encoder encoder([this](std::string_view text) {
    put(text);
    return status_;
  });
  if (status_) status_ = write_npy(tensor, [&](std::string_view bytes) { return encoder.write(bytes); });
  if (status_) status_ = encoder.finish();
  put("\"");
  string("polygraphy_class", "ndarray");
  end_object();
}

void JsonWriter::resume(std::size_t depth) {
  assert(empty_.empty() && buffer_.empty());
  empty_.assign(depth, true);
}

void JsonWriter::splice() {
  assert(!after_key_ && !empty_.empty());
  if (!empty_.back()) put(",");
  empty_.back() = false;
  flush();
}

base::Status JsonWriter::finish() {
  flush();
  return status_;
}

}  // namespace assay::tensor
