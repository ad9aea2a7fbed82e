#include "base/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/mapped_file.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, LeavesTheOldFileUntilCommit) {
  const TempDir dir = TempDir::create().value();
  const fs::path path = dir.path() / "f";
  ASSERT_TRUE(write_file(path, "old"));
  {
    AtomicFile file = AtomicFile::create(path).value();
    ASSERT_TRUE(file.write("new"));
    EXPECT_EQ(read_file(path).value(), "old");
  }
  EXPECT_EQ(read_file(path).value(), "old");
  EXPECT_EQ(entries(dir.path()), 1u) << "the temporary file is gone";
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(read_file(path).value(), "new");
}

TEST(AtomicFile, KeepsThePermissionsOfTheFileThatItReplaces) {
  const TempDir dir = TempDir::create().value();
  const fs::path path = dir.path() / "private";
  ASSERT_TRUE(write_file(path, "old"));
  const fs::perms only_owner = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path, only_owner);
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(read_file(path).value(), "new");
  EXPECT_EQ(fs::status(path).permissions(), only_owner);
}

TEST(AtomicFile, DoesNotReplaceAWriteProtectedFile) {
  const TempDir dir = TempDir::create().value();
  const fs::path path = dir.path() / "protected";
  ASSERT_TRUE(write_file(path, "old"));
  fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  fs::permissions(dir.path(), fs::perms::all);
  constexpr uid_t kNobody = 65534;  // root may write everywhere
  const auto replace = [&] {
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) std::exit(2);
    const Status written = write_file(path, "new");
    std::exit(!written && written.error().message().find("Permission denied") != std::string::npos ? 0 : 1);
  };
  EXPECT_EXIT(replace(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(read_file(path).value(), "old");
}

TEST(AtomicFile, CopiesARange) {
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(write_file(dir.path() / "source", "0123456789"));
  const auto source = MappedFile::open(dir.path() / "source").value();
  AtomicFile file = AtomicFile::create(dir.path() / "copy").value();
  ASSERT_TRUE(file.write("ab"));
  ASSERT_TRUE(file.copy_range(source->fd(), 3, 4));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(read_file(dir.path() / "copy").value(), "ab3456");
}

TEST(AtomicFile, ASourceThatIsTooShortIsAnError) {
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(write_file(dir.path() / "source", "0123"));
  const auto source = MappedFile::open(dir.path() / "source").value();
  AtomicFile file = AtomicFile::create(dir.path() / "copy").value();
  EXPECT_FALSE(file.copy_range(source->fd(), 2, 10));
}

TEST(AtomicFile, CopiesOfSparseFilesAreSparse) {
  constexpr std::int64_t kMega = 1 << 20;
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(write_file(dir.path() / "source", "first"));
  fs::resize_file(dir.path() / "source", 512 * kMega);
  {
    std::ofstream source(dir.path() / "source", std::ios::in | std::ios::binary);
    source.seekp(200 * kMega);
    source << "middle";
  }
  const auto source = MappedFile::open(dir.path() / "source").value();
  AtomicFile file = AtomicFile::create(dir.path() / "copy").value();
  ASSERT_TRUE(file.write("ab"));
  ASSERT_TRUE(file.copy_range(source->fd(), 0, source->bytes().size()));
  EXPECT_EQ(file.position(), 512 * kMega + 2);
  ASSERT_TRUE(file.write("end"));
  ASSERT_TRUE(file.commit());

  const auto copy = MappedFile::open(dir.path() / "copy").value();
  const std::string_view bytes(reinterpret_cast<const char*>(copy->bytes().data()), copy->bytes().size());
  ASSERT_EQ(bytes.size(), 512 * kMega + 5);
  EXPECT_EQ(bytes.substr(0, 8), std::string_view("abfirst", 8));
  EXPECT_EQ(bytes.substr(200 * kMega + 2, 7), std::string_view("middle", 7));
  EXPECT_TRUE(bytes.ends_with(std::string_view("\0end", 4)));
  struct stat info = {};
  ASSERT_EQ(stat((dir.path() / "source").c_str(), &info), 0);
  if (info.st_blocks * 512 > 256 * kMega) GTEST_SKIP() << "the file system has no sparse files";
  ASSERT_EQ(stat((dir.path() / "copy").c_str(), &info), 0);
  EXPECT_LT(info.st_blocks * 512, 256 * kMega);
}

TEST(AtomicFile, AnEmptyNameIsAnError) {
  EXPECT_THAT(AtomicFile::create("").error().message(), testing::HasSubstr("the name of the file is empty"));
}

TEST(AtomicFile, ReportsThatTheDiskIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string message = write_file("/dev/full", "text").error().message();
  EXPECT_THAT(message, testing::HasSubstr("No space left on device (in /dev/full). Free some space"));
}

TEST(AtomicFile, MakesMissingFolders) {
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(write_file(dir.path() / "a/b/c", "x"));
  EXPECT_TRUE(fs::exists(dir.path() / "a/b/c"));
}

TEST(AtomicFile, WritesToAPipeAsItIs) {
  const TempDir dir = TempDir::create().value();
  const fs::path path = dir.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file(path, "text"));
  std::array<char, 8> read_back = {};
  EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 4);
  EXPECT_STREQ(read_back.data(), "text");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path));
  EXPECT_EQ(entries(dir.path()), 1U);
}

TEST(AtomicFile, WritesTheFileThatALinkLeadsTo) {
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(write_file(dir.path() / "far/file", "old"));
  fs::create_symlink("second", dir.path() / "first");
  fs::create_symlink(dir.path() / "far/file", dir.path() / "second");
  {
    AtomicFile file = AtomicFile::create(dir.path() / "first").value();
    ASSERT_TRUE(file.write("new"));
    EXPECT_EQ(entries(dir.path() / "far"), 2U) << "the temporary file is on the disk of the file that is written";
    ASSERT_TRUE(file.commit());
  }
  EXPECT_EQ(read_file(dir.path() / "far/file").value(), "new");
  EXPECT_EQ(entries(dir.path() / "far"), 1U);
  EXPECT_EQ(fs::read_symlink(dir.path() / "first"), "second");
  EXPECT_TRUE(fs::is_symlink(dir.path() / "second"));
}

TEST(AtomicFile, CreatesTheFileOfADanglingLinkInAnExistingFolderOnly) {
  const TempDir dir = TempDir::create().value();
  fs::create_directory(dir.path() / "far");
  fs::create_symlink("far/file", dir.path() / "link");
  ASSERT_TRUE(write_file(dir.path() / "link", "new"));
  EXPECT_EQ(read_file(dir.path() / "far/file").value(), "new");
  EXPECT_TRUE(fs::is_symlink(dir.path() / "link"));

  fs::create_symlink("unmounted/file", dir.path() / "lost");
  EXPECT_EQ(write_file(dir.path() / "lost", "new").error().kind, ErrorKind::not_found);
  EXPECT_FALSE(fs::exists(dir.path() / "unmounted"));
}

TEST(AtomicFile, CreatesNoFolderInPlaceOfAFile) {
  const TempDir dir = TempDir::create().value();
  EXPECT_THAT(write_file(dir.path() / "folder/", "").error().message(), testing::HasSubstr("it is a folder"));
  EXPECT_FALSE(fs::exists(dir.path() / "folder"));
}

TEST(AtomicFile, RefusesLinksToFoldersAndCircles) {
  const TempDir dir = TempDir::create().value();
  fs::create_directory(dir.path() / "folder");
  fs::create_symlink("folder", dir.path() / "link");
  fs::create_symlink("circle", dir.path() / "circle");
  EXPECT_THAT(write_file(dir.path() / "link", "").error().message(), testing::HasSubstr("it is a folder"));
  EXPECT_THAT(write_file(dir.path() / "circle", "").error().message(),
              testing::AllOf(testing::HasSubstr("Too many levels"), testing::HasSubstr("Check where the symbolic")));
}

}  // namespace
}  // namespace assay::base
