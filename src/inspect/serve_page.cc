// A browser needs little: a request is read up to its empty line, whatever it asks for, and answered with the page.
// Other machines can't connect, since models can be secret.
#include "inspect/serve_page.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "worker/file_descriptor.h"

namespace assay::inspect {
namespace {

using worker::FileDescriptor;

constexpr std::size_t kLongestRequest = 1 << 16;  // bytes

tl::unexpected<base::Error> cannot_listen(int port) {
  base::Error error = base::system_error("cannot listen", fmt::format("port {} of 127.0.0.1", port), errno);
  error.fix = "Choose another port with --visual-port, or write the page to a file with --report";
  return base::fail(std::move(error));
}

base::Expected<FileDescriptor> listen_at(int port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return cannot_listen(port);
  const int reuse = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0) {
    return cannot_listen(port);
  }
  return socket;
}

int port_of(const FileDescriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// Sends the page to a client that has sent a request. A client that is too slow or disconnects is given up.
void answer(int client, const std::string& html) {
  const timeval limit{.tv_sec = 2, .tv_usec = 0};
  ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  std::string request;
  std::array<char, 4096> buffer;
  while (request.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::recv(client, buffer.data(), buffer.size(), 0);
    if (count <= 0 || request.size() > kLongestRequest) return;
    request.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const std::string reply = fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      html.size(), html);
  for (std::string_view rest = reply; !rest.empty();) {
    const ssize_t count = ::send(client, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

base::Status serve_page(const std::string& html, int port, const base::Stop& stop,
                        const std::function<void(int port)>& ready) {
  ASSAY_ASSIGN(const FileDescriptor socket, listen_at(port));
  ready(port_of(socket));
  while (!stop.requested()) {
    std::array<pollfd, 2> waiting = {pollfd{socket.get(), POLLIN, 0}, pollfd{stop.wake_fd(), POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), -1) <= 0 || (waiting[0].revents & POLLIN) == 0) continue;
    const FileDescriptor client(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() >= 0) answer(client.get(), html);
  }
  return {};
}

}  // namespace assay::inspect
