#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

TEST(MappedFile, NamesAMissingFile) {
  const auto file = MappedFile::open("/nonexistent/model.onnx");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::not_found);
  EXPECT_EQ(file.error().where, "/nonexistent/model.onnx");
}

TEST(MappedFile, AnEmptyNameIsAnError) {
  EXPECT_EQ(MappedFile::open("").error().what, "cannot open: the name of the file is empty");
}

TEST(MappedFile, RejectsAFolderAndAcceptsAnEmptyFile) {
  const TempDir dir = TempDir::create().value();
  EXPECT_FALSE(MappedFile::open(dir.path()));
  EXPECT_NE(MappedFile::open("/dev/null").error().message().find("Write its content to a file first"),
            std::string::npos);
  ASSERT_TRUE(write_file(dir.path() / "empty", ""));
  EXPECT_TRUE(MappedFile::open(dir.path() / "empty").value()->bytes().empty());
}

TEST(MappedFile, RejectsAPipeWithoutWaitingForItsWriter) {
  const TempDir dir = TempDir::create().value();
  ASSERT_EQ(mkfifo((dir.path() / "pipe").c_str(), 0600), 0);
  const auto file = MappedFile::open(dir.path() / "pipe");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::invalid_input);
  EXPECT_NE(file.error().message().find("Write its content to a file first"), std::string::npos);
}

TEST(MappedFile, NoticesThatItWasWrittenTo) {
  const TempDir dir = TempDir::create().value();
  const std::filesystem::path path = dir.path() / "f";
  ASSERT_TRUE(write_file(path, "before"));
  const auto file = MappedFile::open(path).value();
  EXPECT_FALSE(file->has_changed());
  const auto time = std::filesystem::last_write_time(path);
  std::ofstream(path) << "after!";
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));  // both may be in one tick of the clock
  EXPECT_TRUE(file->has_changed());

  // One that takes its name is another file.
  const auto second = MappedFile::open(path).value();
  ASSERT_TRUE(write_file(path, "another"));
  EXPECT_FALSE(second->has_changed());
  std::filesystem::remove(path);
  EXPECT_FALSE(second->has_changed());
}

TEST(MappedFile, HasTheSameBytesAfterAnyAdvice) {
  const TempDir dir = TempDir::create().value();
  std::string content(3 * 4096 + 17, 'x');
  content.back() = 'y';
  ASSERT_TRUE(write_file(dir.path() / "f", content));
  const auto file = MappedFile::open(dir.path() / "f").value();
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  file->expect_sparse_access(true);
  file->prefetch(4000, 1 << 20);
  EXPECT_EQ(bytes, content);
  file->release(content.size());
  file->release(1 << 30);
  EXPECT_EQ(bytes, content);
  file->expect_sparse_access(false);
  EXPECT_EQ(bytes, content);
}

}  // namespace
}  // namespace assay::base
