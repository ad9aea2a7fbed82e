// Linux has no call that lists descendants, so all processes in /proc are searched. Descendants are found through their
// parents, and orphans, which have lost that link, through the session that they share with the leader.
#include "worker/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "worker/file_descriptor.h"
#include "worker/proc_stat.h"

namespace assay::worker {
namespace {

struct Entry {
  pid_t pid = 0;
  pid_t parent = 0;
};

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (!folder) return pids;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') pids.push_back(std::atoi(entry->d_name));
  }
  return pids;
}

// Reads a file of /proc, up to the size of `buffer`.
template <std::size_t kSize>
std::string_view read_proc(const std::string& path, std::array<char, kSize>& buffer) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  std::size_t length = 0;
  while (length < kSize) {
    const ssize_t count = ::read(file.get(), buffer.data() + length, kSize - length);
    if (count <= 0) break;
    length += static_cast<std::size_t>(count);
  }
  return {buffer.data(), length};
}

std::uint64_t resident(pid_t pid) {
  static const auto kPage = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::array<char, 128> buffer;
  const std::string text(read_proc(fmt::format("/proc/{}/statm", pid), buffer));
  unsigned long long total = 0;
  unsigned long long pages = 0;
  return std::sscanf(text.c_str(), "%llu %llu", &total, &pages) == 2 ? pages * kPage : 0;
}

// Returns the number after `key` in a text of lines "KEY NUMBER ...", or 0 if the key is missing.
std::uint64_t number_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string_view::npos
             ? 0
             : std::strtoull(std::string(text.substr(at + key.size(), 32)).c_str(), nullptr, 10);
}

// Returns a process's resident memory with shared pages divided among their users. Slow: the kernel walks page tables.
std::uint64_t proportional(pid_t pid) {
  std::array<char, 2048> buffer;
  const std::string_view text = read_proc(fmt::format("/proc/{}/smaps_rollup", pid), buffer);
  return text.empty() ? resident(pid) : number_after(text, "\nPss:") * 1024;
}

}  // namespace

std::vector<pid_t> session_members(pid_t leader) {
  std::vector<pid_t> pids = all_processes();
  std::erase_if(pids, [leader](pid_t pid) { return ::getsid(pid) != leader || !read_proc_stat(pid); });
  return pids;
}

std::vector<pid_t> tree_members(pid_t leader) {
  std::vector<Entry> others;
  std::vector<pid_t> members;
  // Skips kernel threads, which are most processes and have no session. A descendant has the leader's session or a
  // later one. If the leader's session began outside of this PID namespace, it reads as 0 too, and nothing can be
  // skipped.
  const bool has_session = ::getsid(leader) != 0;
  for (const pid_t pid : all_processes()) {
    if (has_session && ::getsid(pid) == 0) continue;
    const auto stat = read_proc_stat(pid);
    if (!stat) continue;
    if (pid == leader || stat->session == leader) {
      members.push_back(pid);
    } else {
      others.push_back({pid, stat->parent});
    }
  }
  for (bool grown = true; grown;) {
    const auto known = [&](const Entry& entry) { return std::ranges::find(members, entry.parent) != members.end(); };
    const auto found = std::ranges::partition(others, [&](const Entry& entry) { return !known(entry); });
    for (const Entry& entry : found) members.push_back(entry.pid);
    grown = !found.empty();
    others.erase(found.begin(), found.end());
  }
  return members;
}

std::uint64_t resident_bytes(const std::vector<pid_t>& processes, std::uint64_t limit) {
  const auto sum = [&](std::uint64_t (*bytes)(pid_t)) {
    std::uint64_t total = 0;
    for (const pid_t pid : processes) total += bytes(pid);
    return total;
  };
  const std::uint64_t counted_for_each = sum(resident);
  return counted_for_each <= limit || processes.size() == 1 ? counted_for_each : sum(proportional);
}

std::uint64_t peak_bytes(const std::vector<pid_t>& processes) {
  std::array<char, 2048> buffer;
  std::uint64_t total = 0;
  for (const pid_t pid : processes) {
    total += number_after(read_proc(fmt::format("/proc/{}/status", pid), buffer), "\nVmHWM:") * 1024;
  }
  return total;
}

std::uint64_t kernel_oom_kills() {
  std::array<char, 1 << 14> buffer;
  return number_after(read_proc("/proc/vmstat", buffer), "\noom_kill ");
}

}  // namespace assay::worker
