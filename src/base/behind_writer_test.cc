#include "base/behind_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

constexpr std::size_t kBlock = BehindWriter::kBlock;

// Returns bytes whose pattern doesn't repeat with the size of a block.
std::string bytes(std::size_t count, std::size_t begin = 0) {
  std::string text(count, '\0');
  for (std::size_t i = 0; i < count; ++i) text[i] = static_cast<char>((begin + i) * 31 % 251);
  return text;
}

class BehindWriterTest : public testing::Test {
 protected:
  TempDir dir_ = TempDir::create().value();
  std::filesystem::path path_ = dir_.path() / "f";
};

TEST_F(BehindWriterTest, WritesPiecesOfAnySize) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, kBlock, 3 * kBlock + 4097}) {
    for (const std::size_t piece : {std::size_t{1000003}, 2 * kBlock + 1}) {
      const std::string all = bytes(size);
      AtomicFile file = AtomicFile::create(path_).value();
      BehindWriter writer(file);
      for (std::size_t at = 0; at < size; at += piece)
        ASSERT_TRUE(writer.write(std::string_view(all).substr(at, piece)));
      ASSERT_TRUE(writer.flush());
      ASSERT_TRUE(file.commit());
      EXPECT_TRUE(read_file(path_).value() == all) << size << " bytes in pieces of " << piece;
    }
  }
}

// Results are written this way if a part of them is copied from another file.
TEST_F(BehindWriterTest, ContinuesAfterAFlushAtAnyOffset) {
  const std::string all = bytes(6 * kBlock);
  AtomicFile file = AtomicFile::create(path_).value();
  BehindWriter writer(file);
  const std::string_view view = all;
  ASSERT_TRUE(writer.write(view.substr(0, kBlock + 5)));
  ASSERT_TRUE(writer.flush());
  EXPECT_EQ(file.position(), kBlock + 5);
  ASSERT_TRUE(file.write(view.substr(kBlock + 5, 10)));
  ASSERT_TRUE(writer.write(view.substr(kBlock + 15)));
  ASSERT_TRUE(writer.flush());
  ASSERT_TRUE(file.commit());
  EXPECT_TRUE(read_file(path_).value() == all);
}

TEST_F(BehindWriterTest, ReportsThatAnEarlierWriteFailed) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {kBlock / 2, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    AtomicFile file = AtomicFile::create(path_).value();
    BehindWriter writer(file);
    Status status;
    for (int i = 0; i < 4 && status; ++i) status = writer.write(bytes(kBlock));
    EXPECT_FALSE(status);
    EXPECT_FALSE(writer.flush());
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
}

TEST_F(BehindWriterTest, CanBeAbandoned) {
  AtomicFile file = AtomicFile::create(path_).value();
  BehindWriter writer(file);
  ASSERT_TRUE(writer.write(bytes(2 * kBlock + 1)));
}

}  // namespace
}  // namespace assay::base
