// A browser needs little: a request is read up to its empty line and answered at once. Browsers also open connections
// that they may need later, so requests of all clients are awaited together. Models can be secret: other machines can't
// connect, and requests are refused that a page of another site sends under a name of its own (DNS rebinding).
#include "inspect/serve_page.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "worker/file_descriptor.h"

namespace assay::inspect {
namespace {

using worker::FileDescriptor;

constexpr std::size_t kLongestRequest = 1 << 16;  // bytes
constexpr std::size_t kMostClients = 64;          // connected at a time; one more replaces the oldest

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

std::string response(std::string_view status, std::string_view type, std::string_view content) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
      type, content.size(), content);
}

// Returns the name of the host that the request was sent to, without the port, which may be that of a tunnel.
std::string host_of(std::string_view request) {
  for (const std::string& line : base::split(request, '\n')) {
    const std::string lower = base::to_lower(line);
    if (!lower.starts_with("host:")) continue;
    const std::string_view host = base::trim(std::string_view(lower).substr(5));
    const std::size_t digits = host.find_last_not_of("0123456789");
    const bool has_port = digits != std::string_view::npos && host[digits] == ':';
    return std::string(host.substr(0, has_port ? digits : host.size()));
  }
  return {};
}

// Another page in the browser may have a name that its owner lets point to this machine.
bool is_this_machine(std::string_view host) {
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

std::string reply_to(std::string_view request, const std::string& html) {
  if (!is_this_machine(host_of(request))) return response("403 Forbidden", "text/plain", "Use 127.0.0.1 or localhost.");
  const std::vector<std::string> words = base::split(request.substr(0, request.find('\r')), ' ');
  if (words.size() < 2 || words[1] != "/")
    return response("404 Not Found", "text/plain", "There is only one page, at /.");
  return response("200 OK", "text/html", html);
}

// Sends a text to a client. A client that is too slow or disconnects is given up.
void send_all(int client, std::string_view text) {
  const timeval limit{.tv_sec = 2, .tv_usec = 0};
  ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  while (!text.empty()) {
    const ssize_t count = ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

struct Client {
  FileDescriptor socket;
  std::string request{};  // as far as it has arrived
};

// Reads what a client has sent, and answers if its request is complete. Returns false if the connection is finished.
bool serve(Client& client, const std::string& html) {
  std::array<char, 4096> buffer;
  const ssize_t count = ::recv(client.socket.get(), buffer.data(), buffer.size(), 0);
  if (count <= 0 || client.request.size() > kLongestRequest) return false;
  client.request.append(buffer.data(), static_cast<std::size_t>(count));
  if (client.request.find("\r\n\r\n") == std::string::npos) return true;
  send_all(client.socket.get(), reply_to(client.request, html));
  return false;
}

}  // namespace

base::Status serve_page(const std::string& html, int port, const base::Stop& stop,
                        const std::function<void(int port)>& ready) {
  ASSAY_ASSIGN(const FileDescriptor socket, listen_at(port));
  ready(port_of(socket));
  std::vector<Client> clients;  // the newest last
  while (!stop.requested()) {
    std::vector<pollfd> waiting = {pollfd{socket.get(), POLLIN, 0}, pollfd{stop.wake_fd(), POLLIN, 0}};
    for (const Client& client : clients) waiting.push_back({client.socket.get(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), -1) <= 0) continue;
    for (std::size_t i = clients.size(); i-- > 0;) {
      if (waiting[i + 2].revents == 0 || serve(clients[i], html)) continue;
      clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if ((waiting[0].revents & POLLIN) == 0) continue;
    FileDescriptor client(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) continue;
    if (clients.size() == kMostClients) clients.erase(clients.begin());
    clients.push_back({std::move(client)});
  }
  return {};
}

}  // namespace assay::inspect
