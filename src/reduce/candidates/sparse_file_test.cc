#include "reduce/candidates/sparse_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "base/files.h"
#include "base/mapped_file.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMega = 1 << 20;

class CopyOfHoles : public testing::Test {
 protected:
  // Two megabytes, of which only bytes at 1 MiB are allocated.
  void SetUp() override {
    std::ofstream file(source_, std::ios::binary);
    file.seekp(kMega);
    file << "weights";
    file.close();
    ASSERT_TRUE(file.good());
    fs::resize_file(source_, 2 * kMega);
  }

  base::TempDir dir_ = base::TempDir::create().value();
  const fs::path source_ = dir_.path() / "source";
  const fs::path copy_ = dir_.path() / "copy";
  const base::Stop stop_;
};

// A check reads its weights while those of another candidate are copied.
TEST_F(CopyOfHoles, CountsAsUnchangedWhileItIsFilled) {
  SparseFile file = SparseFile::create(copy_, 2 * kMega).value();
  const auto reader = base::MappedFile::open(copy_).value();
  ASSERT_TRUE(file.fill(0, {base::MappedFile::open(source_).value(), 0, 2 * kMega}, stop_));
  fs::last_write_time(copy_,
                      fs::last_write_time(copy_) + std::chrono::hours(1));  // both may be in one tick of the clock
  EXPECT_FALSE(reader->has_changed());
}

TEST_F(CopyOfHoles, HasTheBytesAndTheHoles) {
  const model::FileRange range{base::MappedFile::open(source_).value(), 0, 2 * kMega};
  {
    SparseFile copy = SparseFile::create(copy_, 3 * kMega).value();
    ASSERT_TRUE(copy.fill(kMega, range, stop_));
    EXPECT_EQ(copy.missing(kMega, 2 * kMega), 0U);
  }
  const std::string bytes = base::read_file(copy_).value();
  EXPECT_EQ(bytes, std::string(kMega, '\0') + base::read_file(source_).value());
  struct stat before = {};
  if (::stat(source_.c_str(), &before) != 0 || static_cast<std::uint64_t>(before.st_blocks) * 512 >= kMega)
    GTEST_SKIP() << "no holes here";
  struct stat after = {};
  ASSERT_EQ(::stat(copy_.c_str(), &after), 0);
  EXPECT_LT(static_cast<std::uint64_t>(after.st_blocks) * 512, 3 * kMega);
}

TEST_F(CopyOfHoles, TellsOfASourceThatBecameShorter) {
  const model::FileRange range{base::MappedFile::open(source_).value(), kMega, kMega};
  fs::resize_file(source_, kMega);
  SparseFile copy = SparseFile::create(copy_, 2 * kMega).value();
  const base::Status status = copy.fill(0, range, stop_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::io);
}

}  // namespace
}  // namespace assay::reduce
