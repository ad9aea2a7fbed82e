#include "backend/serve/serve_packets.h"

#include <poll.h>
#include <sys/socket.h>

#include <cstdio>

namespace assay::backend {
namespace {

using worker::Progress;

void wait_for(int fd, short events) {
  pollfd poll_fd{fd, events, 0};
  ::poll(&poll_fd, 1, -1);
}

}  // namespace

bool is_socket(int fd) {
  int type = 0;
  socklen_t length = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
}

int report_missing_channel() {
  std::fputs("This is an internal program of Assay and cannot be run directly. Run assay instead.\n", stderr);
  return 2;
}

Progress receive_packet(worker::Channel& channel) {
  Progress progress = Progress::again;
  while ((progress = channel.receive()) == Progress::again) wait_for(channel.fd(), POLLIN);
  return progress;
}

bool send_reply(worker::Channel& channel, const worker::Reply& reply) {
  const auto start = [&](const worker::Reply& sent) -> base::Status {
    ASSAY_ASSIGN(worker::Packet packet, worker::encode(sent));
    return channel.start_send(std::move(packet));
  };
  if (const base::Status started = start(reply); !started) {
    if (!start(worker::Refused{{worker::Phase::run, 0, started.error().message()}, false})) return false;
  }
  Progress progress = Progress::again;
  while ((progress = channel.send()) == Progress::again) wait_for(channel.fd(), POLLOUT);
  return progress == Progress::done;
}

}  // namespace assay::backend
