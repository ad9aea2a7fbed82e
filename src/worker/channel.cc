// The socket never blocks, so that the caller can also watch the process, its output and the time while it waits for a
// packet. Sending and receiving therefore keep their state between calls. What arrives is untrusted: lengths are
// limited, descriptors are counted, and memory grows only with the bytes that actually arrive.
#include "worker/channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace assay::worker {
namespace {

constexpr std::size_t kHeader = sizeof(std::uint32_t);
constexpr std::size_t kStep = 1U << 20;  // bytes; memory grows with what arrives, not with the announced length

// Has room for one descriptor more than a packet may carry, so that excess descriptors are noticed.
union Control {
  std::array<char, CMSG_SPACE(2 * sizeof(int))> bytes;
  cmsghdr align;
};

Progress after_error(ssize_t count, bool within) {
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Progress::again;
  return within ? Progress::cut_short : Progress::closed;
}

}  // namespace

Channel::Channel(FileDescriptor socket, std::uint32_t largest_body)
    : socket_(std::move(socket)), largest_body_(largest_body) {
  ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
}

base::Expected<std::pair<FileDescriptor, FileDescriptor>> Channel::pair() {
  std::array<int, 2> fds = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0) {
    return base::fail(base::system_error("cannot create a socket pair", {}, errno));
  }
  return std::pair(FileDescriptor(fds[0]), FileDescriptor(fds[1]));
}

base::Status Channel::start_send(Packet packet) {
  if (packet.body.size() > largest_body_) {
    return base::fail(base::ErrorKind::unsupported, "a message of more than 1 GiB cannot be sent", {},
                      "Only strings make messages that large: use fewer or shorter ones");
  }
  const auto length = static_cast<std::uint32_t>(packet.body.size());
  out_ = std::move(packet);
  out_.body.insert(0, reinterpret_cast<const char*>(&length), kHeader);
  sent_ = 0;
  return {};
}

Progress Channel::send() {
  while (sent_ < out_.body.size()) {
    iovec data = {out_.body.data() + sent_, out_.body.size() - sent_};
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    Control control = {};
    if (sent_ == 0 && out_.shared.valid()) {
      message.msg_control = control.bytes.data();
      message.msg_controllen = CMSG_SPACE(sizeof(int));
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      const int fd = out_.shared.get();
      std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    const ssize_t count = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (count < 0) return after_error(count, false);
    sent_ += static_cast<std::size_t>(count);
  }
  out_ = {};
  return Progress::done;
}

Progress Channel::receive_header() {
  std::array<char, kHeader> bytes = {};
  iovec data = {bytes.data(), kHeader - header_received_};
  msghdr message = {};
  Control control = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = sizeof control;
  const ssize_t count = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC);
  if (count <= 0) return after_error(count, header_received_ > 0);
  int descriptors = 0;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at < header->cmsg_len; at += sizeof(int)) {
      int fd = -1;
      std::memcpy(&fd, reinterpret_cast<const char*>(header) + at, sizeof fd);
      in_.shared = FileDescriptor(fd);
      ++descriptors;
    }
  }
  if (descriptors > 1 || (message.msg_flags & MSG_CTRUNC) != 0) return Progress::garbage;
  std::memcpy(reinterpret_cast<char*>(&in_length_) + header_received_, bytes.data(), static_cast<std::size_t>(count));
  header_received_ += static_cast<std::size_t>(count);
  return header_received_ == kHeader && in_length_ > kMaxBody ? Progress::garbage : Progress::done;
}

Progress Channel::receive() {
  while (header_received_ < kHeader) {
    if (const Progress progress = receive_header(); progress != Progress::done) return progress;
  }
  while (received_ < in_length_) {
    const std::size_t step = std::min<std::size_t>(in_length_ - received_, kStep);
    if (in_.body.size() < received_ + step) in_.body.resize(received_ + step);
    const ssize_t count = ::recv(socket_.get(), in_.body.data() + received_, in_.body.size() - received_, 0);
    if (count <= 0) return after_error(count, true);
    received_ += static_cast<std::size_t>(count);
  }
  return Progress::done;
}

Packet Channel::take() {
  header_received_ = 0;
  received_ = 0;
  in_length_ = 0;
  return std::exchange(in_, Packet());
}

}  // namespace assay::worker
