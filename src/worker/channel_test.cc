#include "worker/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "worker/shared_memory.h"

namespace assay::worker {
namespace {

// Two connected ends: bytes that a test writes to `raw` arrive at `channel`.
class ChannelTest : public testing::Test {
 protected:
  void SetUp() override {
    auto ends = Channel::pair();
    ASSERT_TRUE(ends);
    raw_ = std::move(ends->first);
    channel_ = std::make_unique<Channel>(std::move(ends->second));
  }
  void write_raw(std::string_view bytes) {
    ASSERT_EQ(::write(raw_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  FileDescriptor raw_;
  std::unique_ptr<Channel> channel_;
};

bool same_file(int a, int b) {
  struct stat info_a = {};
  struct stat info_b = {};
  return fstat(a, &info_a) == 0 && fstat(b, &info_b) == 0 && info_a.st_ino == info_b.st_ino &&
         info_a.st_dev == info_b.st_dev;
}

TEST_F(ChannelTest, CarriesBodiesAndDescriptors) {
  Channel other(std::move(raw_));
  for (const std::size_t size : {0U, 1U, 1000U}) {
    SharedMemoryWriter writer;
    ASSERT_TRUE(writer.add(tensor::Buffer::own(std::string("memory")).bytes()));
    Packet packet{std::string(size, 'b'), std::move(writer).finish().value()};
    const FileDescriptor copy(fcntl(packet.shared.get(), F_DUPFD_CLOEXEC, 0));
    ASSERT_TRUE(other.start_send(std::move(packet)));
    ASSERT_EQ(other.send(), Progress::done);
    ASSERT_EQ(channel_->receive(), Progress::done);
    const Packet got = channel_->take();
    EXPECT_EQ(got.body, std::string(size, 'b'));
    EXPECT_TRUE(same_file(got.shared.get(), copy.get()));
    EXPECT_NE(fcntl(got.shared.get(), F_GETFD) & FD_CLOEXEC, 0);
  }
  ASSERT_TRUE(other.start_send({"no memory", {}}));
  ASSERT_EQ(other.send(), Progress::done);
  ASSERT_EQ(channel_->receive(), Progress::done);
  EXPECT_FALSE(channel_->take().shared.valid());
}

TEST_F(ChannelTest, CarriesMoreThanASocketHolds) {
  Channel other(std::move(raw_));
  std::string body(20 << 20, '\0');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 7 >> 3);
  ASSERT_TRUE(other.start_send({body, {}}));
  ASSERT_EQ(other.send(), Progress::again);
  Progress received = Progress::again;
  while ((received = channel_->receive()) == Progress::again) other.send();
  ASSERT_EQ(received, Progress::done);
  EXPECT_EQ(channel_->take().body, body);
}

TEST_F(ChannelTest, WaitsForTheRest) {
  EXPECT_EQ(channel_->receive(), Progress::again);
  write_raw({"\x03\0", 2});
  EXPECT_EQ(channel_->receive(), Progress::again);
  write_raw({"\0\0a", 3});
  EXPECT_EQ(channel_->receive(), Progress::again);
  write_raw("bc");
  EXPECT_EQ(channel_->receive(), Progress::done);
  EXPECT_EQ(channel_->take().body, "abc");
  EXPECT_EQ(channel_->receive(), Progress::again);
}

TEST_F(ChannelTest, DistinguishesAnEndBetweenPacketsFromOneInside) {
  write_raw({"\x01\0\0\0a", 5});
  ASSERT_EQ(channel_->receive(), Progress::done);
  channel_->take();
  write_raw({"\x02\0\0\0a", 5});
  ASSERT_EQ(channel_->receive(), Progress::again);
  raw_.reset();
  EXPECT_EQ(channel_->receive(), Progress::cut_short);

  SetUp();
  write_raw({"\x02", 1});
  raw_.reset();
  EXPECT_EQ(channel_->receive(), Progress::cut_short);

  SetUp();
  raw_.reset();
  EXPECT_EQ(channel_->receive(), Progress::closed);
}

TEST_F(ChannelTest, SendingToAClosedChannelRaisesNoSignal) {
  raw_.reset();
  ASSERT_TRUE(channel_->start_send({"body", {}}));
  EXPECT_EQ(channel_->send(), Progress::closed);
}

TEST_F(ChannelTest, RejectsAnAbsurdLength) {
  write_raw("\xff\xff\xff\xff");
  EXPECT_EQ(channel_->receive(), Progress::garbage);
}

TEST_F(ChannelTest, RejectsMoreThanOneDescriptor) {
  std::string byte = "\x01";
  iovec data = {byte.data(), 1};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const int fds[] = {0, 1};
  __builtin_memcpy(CMSG_DATA(header), fds, sizeof fds);
  ASSERT_EQ(sendmsg(raw_.get(), &message, 0), 1);
  EXPECT_EQ(channel_->receive(), Progress::garbage);
}

}  // namespace
}  // namespace assay::worker
