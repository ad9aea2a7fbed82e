// The kernel reports the machine's available memory in one number, but a container's limit only in the files of its
// control groups. A limit anywhere up the tree binds, so every group from this process's own to the root is read. Pages
// of inactive cached files count as available: the kernel drops them before it runs out of memory.
#include "base/free_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace assay::base {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) ? number(line) : std::nullopt;
}

// Returns the value after `key` at the start of a line.
std::optional<std::uint64_t> number_of(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::string_view text = line;
    return number(text.substr(key.size()));
  }
  return std::nullopt;
}

// Returns the smallest remainder below the limits of a group and of the groups around it.
std::uint64_t left_in_group(const fs::path& mount, fs::path group, const char* limit_file, const char* used_file,
                            const char* cache_key) {
  std::uint64_t left = kUnlimited;
  for (;; group = group.parent_path()) {
    const fs::path folder = mount / group.relative_path();
    const auto limit = number_in(folder / limit_file);
    const auto used = number_in(folder / used_file);
    if (limit && used) {
      const std::uint64_t cached = number_of(folder / "memory.stat", cache_key).value_or(0);
      const std::uint64_t taken = *used - std::min(*used, cached);
      left = std::min(left, *limit - std::min(*limit, taken));
    }
    if (group.empty() || group == group.parent_path()) return left;
  }
}

std::uint64_t left_in_groups(const fs::path& root) {
  std::uint64_t left = kUnlimited;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      left = std::min(left,
                      left_in_group(root / "sys/fs/cgroup", group, "memory.max", "memory.current", "inactive_file "));
    } else if (controllers.find(",memory,") != std::string::npos) {
      left = std::min(left, left_in_group(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                          "memory.usage_in_bytes", "total_inactive_file "));
    }
  }
  return left;
}

}  // namespace

std::optional<std::uint64_t> free_memory(const fs::path& root) {
  const auto kib = number_of(root / "proc/meminfo", "MemAvailable:");
  const std::uint64_t left = std::min(kib ? *kib * 1024 : kUnlimited, left_in_groups(root));
  return left == kUnlimited ? std::nullopt : std::optional(left);
}

std::uint64_t default_memory_budget() {
  constexpr std::uint64_t kShare = 4;
  constexpr std::uint64_t kIfUnknown = std::uint64_t{4} << 30;
  const std::optional<std::uint64_t> free = free_memory();
  return free ? std::max<std::uint64_t>(*free / kShare, 1) : kIfUnknown;
}

}  // namespace assay::base
