// JSON as a stream, laid out as Python's json.dumps(value, indent=4) does it: what the peer's files look like, byte for
// byte. Nothing is kept in memory but a small buffer, so files may be larger than memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/byte_sink.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Calls nest as the values do; a call out of place (a value in an object without a key) is a bug and asserts. Errors of
// the sink or of a tensor are kept, later calls do nothing, and finish() tells the first.
class JsonWriter {
 public:
  explicit JsonWriter(ByteSink sink) : sink_(std::move(sink)) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void string(std::string_view value);  // UTF-8; written in ASCII with \u escapes
  void number(double value);            // shortest text that reads back the same; NaN, Infinity, -Infinity
  void integer(std::int64_t value);
  void boolean(bool value);
  void null();
  // {"array": base64 of an .npy file, "polygraphy_class": "ndarray"}
  void array(const Tensor& tensor);

  // key() and a value in one.
  void string(std::string_view name, std::string_view value) { key(name), string(value); }

  // For documents made of pieces. resume(): what is written next are members of an object, or elements of an array,
  // that lies in so many brackets; the first gets no comma. splice(): pieces that resumed at this depth follow now,
  // which the caller writes into the sink himself, joined by commas.
  void resume(std::size_t depth);
  void splice();

  // The first error so far; what is still in the buffer may fail later.
  [[nodiscard]] const base::Status& status() const { return status_; }
  // After the last value.
  base::Status finish();

 private:
  void open(char bracket);
  void close(char bracket);
  void begin_value();
  void new_line();
  void put(std::string_view text);
  void flush();

  ByteSink sink_;
  std::string buffer_;
  base::Status status_;
  std::vector<bool> empty_;  // one for each open bracket: nothing is inside yet
  bool after_key_ = false;
};

}  // namespace assay::tensor
