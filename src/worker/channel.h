// Packets over a socket pair: four bytes of length (little-endian), then the body; the shared memory's descriptor
// travels with the first byte (SCM_RIGHTS).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "worker/file_descriptor.h"
#include "worker/protocol.h"

namespace assay::worker {

enum class Progress {
  done,
  again,      // the other side is not ready: poll() and call again
  closed,     // the other side is gone, between two packets
  cut_short,  // the other side is gone, within a packet
  garbage,    // what came is no packet
};

// Never blocks. One packet at a time in each direction.
class Channel {
 public:
  static constexpr std::uint32_t kMaxBody = 1U << 30;  // bytes; only string tensors make a body large

  explicit Channel(FileDescriptor socket);
  // Two connected ends.
  static base::Expected<std::pair<FileDescriptor, FileDescriptor>> pair();

  [[nodiscard]] int fd() const { return socket_.get(); }
  // Errors: unsupported for a body that is too large.
  base::Status start_send(Packet packet);
  // Goes on with the packet that was started: done, again or closed.
  Progress send();
  // Goes on with the packet that is coming; once done, take() gives it.
  Progress receive();
  Packet take();

 private:
  Progress receive_header();

  FileDescriptor socket_;
  Packet out_;  // with its length before the body
  std::size_t sent_ = 0;
  Packet in_;
  std::uint32_t in_length_ = 0;
  std::size_t header_received_ = 0;
  std::size_t received_ = 0;
};

}  // namespace assay::worker
