// Writes JSON as a stream, byte for byte as Python's json.dumps(value, indent=4) and so Polygraphy would. Only a small
// buffer is kept in memory, so files may be larger than memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/byte_sink.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Calls nest as the values do. A misplaced call is a bug in the caller, for which some calls assert. After an error of
// the sink or of a tensor, later calls write nothing, and finish() returns that error.
class JsonWriter {
 public:
  explicit JsonWriter(ByteSink sink) : sink_(std::move(sink)) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void string(std::string_view value);  // UTF-8; written in ASCII with \u escapes
  void number(double value);            // the shortest text that reads back as the same; NaN, Infinity, -Infinity
  void integer(std::int64_t value);
  void unsigned_integer(std::uint64_t value);
  void boolean(bool value);
  void null();
  // {"array": base64 of an .npy file, "polygraphy_class": "ndarray"}
  void array(const Tensor& tensor);

  // Writes a key and its value.
  void string(std::string_view name, std::string_view value) { key(name), string(value); }

  // For documents written in pieces. resume() makes a new writer continue inside `depth` open brackets: it writes the
  // members of an object or the elements of an array, the first without a comma. splice() prepares the outer writer for
  // such pieces, which the caller then writes to the sink itself, separated by commas.
  void resume(std::size_t depth);
  void splice();

  // Returns the first error so far. Bytes that are still in the buffer may fail later.
  [[nodiscard]] const base::Status& status() const { return status_; }
  // Writes the rest of the buffer; to be called after the last value.
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
  std::vector<bool> empty_;  // per open bracket: whether nothing is inside yet
  bool after_key_ = false;
};

}  // namespace assay::tensor
