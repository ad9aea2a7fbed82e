#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/temp_dir.h"

namespace assay::fuzz {

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

unsigned choose(std::string_view& bytes, unsigned count) {
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  return first % count;
}

std::pair<std::string_view, std::string_view> split_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), text.substr(end + 1)};
}

std::filesystem::path scratch_path(std::string_view name) {
  static const base::TempDir folder = base::TempDir::create().value();
  return folder.path() / name;
}

// Writes in place: creating and renaming a file each time would halve the number of tries in a second.
std::filesystem::path scratch_file(std::string_view name, std::string_view bytes) {
  std::filesystem::path path = scratch_path(name);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  require(file >= 0, "a scratch file can be created");
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t count = ::write(file, rest.data(), rest.size());
    require(count > 0, "a scratch file can be written");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(file);
  return path;
}

void require(bool condition, std::string_view sentence) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", std::string(sentence).c_str());
  std::abort();
}

}  // namespace assay::fuzz
