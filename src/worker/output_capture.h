// What a child writes to its standard streams: all of it up to a limit, past that its beginning and its end.
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
  // Everything, or both ends around a line that says how many bytes are left out between them.
  [[nodiscard]] std::string text() const;
  // The last `count` bytes, or what there is.
  [[nodiscard]] std::string end(std::size_t count) const;
  void clear();

 private:
  std::size_t half_;
  std::string head_;
  std::string tail_;           // a ring once it is full
  std::size_t tail_at_ = 0;    // where the oldest byte of a full ring lies
  std::uint64_t dropped_ = 0;  // bytes that the ring has overwritten
};

// The pipe that a child writes to, read without ever blocking.
class OutputPipe {
 public:
  static base::Expected<OutputPipe> create();

  [[nodiscard]] int read_fd() const { return read_.get(); }  // -1 after the end
  [[nodiscard]] int write_fd() const { return write_.get(); }
  // To be called once the child holds its own copy; the end of the stream is never seen before that.
  void close_write_end() { write_.reset(); }
  // Takes what lies in the pipe, at most a few MiB a call, so that a child that never stops writing cannot hold us.
  void drain();
  [[nodiscard]] OutputCapture& capture() { return capture_; }

 private:
  FileDescriptor read_;
  FileDescriptor write_;
  OutputCapture capture_;
};

}  // namespace assay::worker
