#include "inspect/serve_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <future>
#include <thread>

#include "worker/file_descriptor.h"

namespace assay::inspect {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

worker::FileDescriptor connect_to(int port) {
  worker::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

// Sends a request and returns everything that comes back.
std::string fetch(const worker::FileDescriptor& socket, std::string_view request) {
  EXPECT_EQ(::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  std::string reply;
  char buffer[1024];
  for (ssize_t count; (count = ::recv(socket.get(), buffer, sizeof buffer, 0)) > 0;) {
    reply.append(buffer, static_cast<std::size_t>(count));
  }
  return reply;
}

// Serves a page in a thread while it exists.
class Server {
 public:
  Server() : thread_([this] { status_ = serve_page("<p>page</p>", 0, stop_, [&](int at) { port_.set_value(at); }); }) {
    port = port_.get_future().get();
  }
  ~Server() {
    stop_.request();
    thread_.join();
    EXPECT_TRUE(status_);
  }
  int port = 0;

 private:
  base::Stop stop_;
  base::Status status_;
  std::promise<int> port_;
  std::thread thread_;
};

TEST(ServePage, AnswersUntilItIsStopped) {
  const Server server;
  for (const char* host : {"localhost", "127.0.0.1:8000", "[::1]:80", "LOCALHOST:1"}) {
    const std::string reply = fetch(connect_to(server.port), fmt::format("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", host));
    EXPECT_THAT(reply, HasSubstr("Content-Length: 11\r\n"));
    EXPECT_THAT(reply, EndsWith("\r\n\r\n<p>page</p>"));
  }
  // The port is taken.
  const base::Stop stop;
  const base::Status second = serve_page("", server.port, stop, [](int) {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), HasSubstr("--visual-port"));
}

TEST(ServePage, RefusesOtherHostsAndPaths) {
  const Server server;
  for (const char* header :
       {"Host: attacker.example\r\n", "Host: localhost.example:8000\r\n", "Host: 1.2.3.4\r\n", ""}) {
    const std::string reply = fetch(connect_to(server.port), fmt::format("GET / HTTP/1.1\r\n{}\r\n", header));
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 403 ")) << header;
    EXPECT_THAT(reply, Not(HasSubstr("page</p>"))) << header;
  }
  EXPECT_THAT(fetch(connect_to(server.port), "GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              StartsWith("HTTP/1.1 404 "));
}

TEST(ServePage, WaitsForAllClientsTogether) {
  const Server server;
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const worker::FileDescriptor early = connect_to(server.port);
  EXPECT_THAT(fetch(connect_to(server.port), request), EndsWith("<p>page</p>"));
  EXPECT_EQ(::send(early.get(), request.data(), 5, 0), 5);
  EXPECT_THAT(fetch(connect_to(server.port), request), EndsWith("<p>page</p>"));
  EXPECT_THAT(fetch(early, std::string_view(request).substr(5)), EndsWith("<p>page</p>"));
}

}  // namespace
}  // namespace assay::inspect
