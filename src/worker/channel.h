// Sends and receives packets over a socket pair: four bytes of length (little-endian), then the body. The descriptor of
// the shared memory travels with the first byte (SCM_RIGHTS).
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
  again,      // the other end isn't ready: poll() and call again
  closed,     // the other end disconnected between two packets
  cut_short,  // the other end disconnected in the middle of a packet
  garbage,    // the bytes received aren't a packet
};

// Never blocks. Handles one packet at a time in each direction.
class Channel {
 public:
  static constexpr std::uint32_t kMaxBody = 1U << 30;  // bytes; only string tensors need large bodies

  // Tests set `largest_body` to a small number of bytes.
  explicit Channel(FileDescriptor socket, std::uint32_t largest_body = kMaxBody);
  // Creates two connected ends.
  static base::Expected<std::pair<FileDescriptor, FileDescriptor>> pair();

  [[nodiscard]] int fd() const { return socket_.get(); }
  // Sets the packet that send() sends. Errors: unsupported for a body that is too large.
  base::Status start_send(Packet packet);
  // Continues to send the packet; returns done, again or closed.
  Progress send();
  // Continues to receive a packet. After done, take() returns it.
  Progress receive();
  Packet take();

 private:
  Progress receive_header();

  FileDescriptor socket_;
  std::uint32_t largest_body_;
  Packet out_;  // its body starts with the length
  std::size_t sent_ = 0;
  Packet in_;
  std::uint32_t in_length_ = 0;
  std::size_t header_received_ = 0;
  std::size_t received_ = 0;
};

}  // namespace assay::worker
