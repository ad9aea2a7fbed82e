// Keeps the first half of the limit as it is and the second half in a ring buffer, because the causes of failures are
// usually printed at the beginning or at the end.
#include "worker/output_capture.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace assay::worker {

void OutputCapture::append(std::string_view bytes) {
  const std::size_t to_head = std::min(bytes.size(), half_ - head_.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  const std::size_t to_tail = std::min(bytes.size(), half_ - tail_.size());
  tail_.append(bytes.substr(0, to_tail));
  bytes.remove_prefix(to_tail);
  dropped_ += bytes.size();
  if (bytes.size() > half_) bytes.remove_prefix(bytes.size() - half_);
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), half_ - tail_at_);
    std::ranges::copy(bytes.substr(0, count), tail_.begin() + static_cast<std::ptrdiff_t>(tail_at_));
    tail_at_ = (tail_at_ + count) % half_;
    bytes.remove_prefix(count);
  }
}

std::string OutputCapture::text() const {
  const std::string gap = dropped_ > 0 ? fmt::format("\n[... {} bytes left out ...]\n", dropped_) : std::string();
  return head_ + gap + tail_.substr(tail_at_) + tail_.substr(0, tail_at_);
}

std::string OutputCapture::end(std::size_t count) const {
  std::string all = tail_.substr(tail_at_) + tail_.substr(0, tail_at_);
  if (all.size() < count && dropped_ == 0) all = head_ + all;
  return all.size() > count ? all.substr(all.size() - count) : all;
}

void OutputCapture::clear() {
  *this = OutputCapture(half_ * 2);
}

base::Expected<OutputPipe> OutputPipe::create() {
  std::array<int, 2> fds = {-1, -1};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) {
    return base::fail(base::system_error("cannot create a pipe", {}, errno));
  }
  OutputPipe pipe;
  pipe.read_ = FileDescriptor(fds[0]);
  pipe.write_ = FileDescriptor(fds[1]);
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);  // only the read end: the child's must block
  return pipe;
}

void OutputPipe::drain() {
  constexpr int kReads = 64;
  std::array<char, 1 << 16> buffer;
  for (int i = 0; i < kReads && read_.valid(); ++i) {
    const ssize_t count = ::read(read_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      read_.reset();
      return;
    }
    capture_.append({buffer.data(), static_cast<std::size_t>(count)});
  }
}

}  // namespace assay::worker
