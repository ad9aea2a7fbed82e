#include "inspect/serve_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <future>
#include <thread>

#include "worker/file_descriptor.h"

namespace assay::inspect {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// Sends a request to a port and returns everything that comes back.
std::string fetch(int port, std::string_view request) {
  const worker::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::send(socket.get(), request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string reply;
  char buffer[1024];
  for (ssize_t count; (count = ::recv(socket.get(), buffer, sizeof buffer, 0)) > 0;) {
    reply.append(buffer, static_cast<std::size_t>(count));
  }
  return reply;
}

TEST(ServePage, AnswersUntilItIsStopped) {
  base::Stop stop;
  std::promise<int> port;
  base::Status status;
  std::thread server([&] { status = serve_page("<p>page</p>", 0, stop, [&](int at) { port.set_value(at); }); });
  const int at = port.get_future().get();
  for (int i = 0; i < 2; ++i) {
    const std::string reply = fetch(at, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(reply, HasSubstr("Content-Length: 11\r\n"));
    EXPECT_THAT(reply, EndsWith("\r\n\r\n<p>page</p>"));
  }
  // The port is taken.
  const base::Status second = serve_page("", at, stop, [](int) {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), HasSubstr("--visual-port"));
  stop.request();
  server.join();
  EXPECT_TRUE(status);
}

}  // namespace
}  // namespace assay::inspect
