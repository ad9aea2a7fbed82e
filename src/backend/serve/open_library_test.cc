#include "backend/serve/open_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::backend {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Returns the path of a library that this program has opened, or an empty one.
std::string some_library() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        if (std::strstr(info->dlpi_name, "libfmt") == nullptr) return 0;
        *static_cast<std::string*>(found) = info->dlpi_name;
        return 1;
      },
      &path);
  return path;
}

// Returns the error of opening a library with these bytes, or an empty text.
std::string error_of(const std::string& bytes) {
  const auto folder = base::TempDir::create();
  EXPECT_TRUE(folder);
  const std::filesystem::path file = folder->path() / "lib.so";
  EXPECT_TRUE(base::write_file(file, bytes));
  const auto handle = open_library(file.string(), RTLD_NOW | RTLD_LOCAL);
  return handle ? "" : handle.error().failed.message;
}

TEST(OpenLibrary, SaysWhatIsWrongWithTheFile) {
  const std::string path = some_library();
  if (path.empty()) GTEST_SKIP() << "fmt isn't a shared library here";
  const std::string bytes = base::read_file(path).value();
  EXPECT_EQ(error_of(bytes), "");
  EXPECT_THAT(error_of(bytes.substr(0, bytes.size() / 2)), HasSubstr("lib.so is missing: copy or install it again"));
  EXPECT_THAT(error_of(bytes.substr(0, sizeof(Elf64_Ehdr))), HasSubstr("lib.so is missing: copy or install it again"));
  std::string other = bytes;
  const Elf64_Half machine = EM_S390;
  std::memcpy(&other[offsetof(Elf64_Ehdr, e_machine)], &machine, sizeof machine);
  EXPECT_THAT(error_of(other), HasSubstr("lib.so is a library for another processor"));
  for (const char* text : {"", "not a library"}) {
    EXPECT_THAT(error_of(text), StartsWith("cannot open the library: "));
  }
}

TEST(OpenLibrary, NamesAMissingFile) {
  const auto handle = open_library("/nonexistent/lib.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_FALSE(handle);
  EXPECT_THAT(handle.error().failed.message, StartsWith("cannot open the library: /nonexistent/lib.so: "));
}

}  // namespace
}  // namespace assay::backend
