// Captures a child's standard output and standard error: everything up to a limit, beyond it the beginning and the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "worker/file_descriptor.h"

namespace assay::worker {

class OutputCapture {
 public:
  static constexpr std::size_t kKeep = 16U << 20;  // bytes

  explicit OutputCapture(std::size_t keep = kKeep) : half_(keep / 2) {}

  void append(std::string_view bytes);
  // Returns everything, or both ends with a line between them that says how many bytes are left out.
  [[nodiscard]] std::string text() const;
  // Returns the last `count` bytes, or fewer if fewer were kept.
  [[nodiscard]] std::string end(std::size_t count) const;
  void clear();

 private:
  std::size_t half_;
  std::string head_;
  std::string tail_;           // a ring buffer once it is full
  std::size_t tail_at_ = 0;    // position of the oldest byte in a full ring buffer
  std::uint64_t dropped_ = 0;  // bytes that were overwritten
};

// The pipe that a child writes to. Reading never blocks.
class OutputPipe {
 public:
  static base::Expected<OutputPipe> create();

  [[nodiscard]] int read_fd() const { return read_.get(); }  // -1 after the end
  [[nodiscard]] int write_fd() const { return write_.get(); }
  // To be called once the child has its own copy; otherwise the pipe never reaches its end.
  void close_write_end() { write_.reset(); }
  // Captures the bytes in the pipe, at most a few MiB per call, so that a child that writes without pause can't block
  // the caller.
  void drain();
  [[nodiscard]] OutputCapture& capture() { return capture_; }

 private:
  FileDescriptor read_;
  FileDescriptor write_;
  OutputCapture capture_;
};

}  // namespace assay::worker
