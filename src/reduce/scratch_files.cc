#include "reduce/scratch_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/files.h"
#include "base/strings.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

constexpr int kTries = 100;

bool is_same_file(int fd, const fs::path& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// A process that was killed holds its locks until the child that it was about to start is gone, too.
bool is_locked_by_another(int fd) {
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks; ++i) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// ".NAME.XXXXXX"
bool is_temporary_of(std::string_view file, std::string_view name) {
  constexpr std::size_t kRandom = 6;
  return file.size() == name.size() + kRandom + 2 && file.front() == '.' && file.substr(1).starts_with(name) &&
         file[name.size() + 1] == '.' &&
         std::ranges::all_of(file.substr(name.size() + 2), [](unsigned char c) { return std::isalnum(c) != 0; });
}

}  // namespace

base::Expected<std::unique_ptr<ScratchFiles>> ScratchFiles::claim(const fs::path& artifact, base::Log& log) {
  const fs::path folder = artifact.has_parent_path() ? artifact.parent_path() : fs::path(".");
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return base::fail(base::system_error("cannot make the folder", folder.string(), code.value()));
  const fs::path list = folder / ("." + artifact.filename().string() + ".assay");
  for (int i = 0; i < kTries; ++i) {
    const int fd = ::open(list.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) return base::fail(base::system_error("cannot write candidates here", list.string(), errno));
    std::unique_ptr<ScratchFiles> files(new ScratchFiles(list, fd));
    if (is_locked_by_another(fd)) {
      files->list_.clear();  // it is not ours to remove
      return base::fail(base::ErrorKind::invalid_input, "another run writes its candidates here", artifact.string(),
                        "Wait for its end, or name another file with --iter-artifact");
    }
    if (!is_same_file(fd, list)) {  // its owner removed it between our two calls
      files->list_.clear();
      continue;
    }
    ASSAY_TRY(files->remove_left_over(log));
    return files;
  }
  return base::fail(base::ErrorKind::io, "cannot write candidates here: the list of them goes again and again",
                    list.string());
}

base::Status ScratchFiles::remove_left_over(base::Log& log) {
  ASSAY_ASSIGN(const std::string text, base::read_file(list_));
  std::vector<std::string> names = base::split(text, '\n');
  std::erase_if(names, [](const std::string& name) { return name.empty() || name.find('/') != std::string::npos; });
  const fs::path folder = list_.parent_path();
  std::error_code code;
  std::vector<fs::path> left_over;
  if (!names.empty()) {
    ASSAY_ASSIGN(const std::vector<fs::path> files, base::list_folder(folder.empty() ? "." : folder));
    for (const fs::path& path : files) {
      const std::string file = path.filename().string();
      const auto is_it = [&](const std::string& name) { return file == name || is_temporary_of(file, name); };
      if (!fs::is_directory(path, code) && std::ranges::any_of(names, is_it)) left_over.push_back(path);
    }
  }
  for (const fs::path& file : left_over) {
    log.verbose("Removing {}, which a run that was killed has left", file.string());
    fs::remove(file, code);
  }
  if (::ftruncate(fd_, 0) != 0) return base::fail(base::system_error("cannot write", list_.string(), errno));
  return {};
}

ScratchFiles::~ScratchFiles() {
  std::error_code ignored;
  if (!keep_) {
    for (const fs::path& file : files_) fs::remove(file, ignored);
  }
  if (!list_.empty()) fs::remove(list_, ignored);
  ::close(fd_);
}

base::Status ScratchFiles::add(const std::vector<fs::path>& paths) {
  const std::lock_guard lock(mutex_);
  std::error_code code;
  std::string lines;
  for (const fs::path& path : paths) {
    if (fs::exists(fs::symlink_status(path, code))) {
      return base::fail(base::ErrorKind::invalid_input, "the file for candidates is there already, and may be yours",
                        path.string(), "Remove it, or name another with --iter-artifact");
    }
    lines += path.filename().string() + "\n";
  }
  if (::pwrite(fd_, lines.data(), lines.size(), ::lseek(fd_, 0, SEEK_END)) != static_cast<ssize_t>(lines.size()) ||
      ::fdatasync(fd_) != 0) {
    return base::fail(base::system_error("cannot write", list_.string(), errno));
  }
  files_.insert(files_.end(), paths.begin(), paths.end());
  return {};
}

}  // namespace assay::reduce
