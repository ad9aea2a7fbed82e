// The list of names is written and synced before the files are, so even after a crash every file of ours is listed.
// Whether a listed file is left over follows from the lock: if claim() gets it, the run that wrote the list is dead.
#include "reduce/candidates/scratch_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "base/abandoned_files.h"
#include "base/files.h"
#include "base/strings.h"

namespace assay::reduce {
namespace fs = std::filesystem;

base::Expected<std::unique_ptr<ScratchFiles>> ScratchFiles::claim(const fs::path& artifact, base::Log& log) {
  const fs::path folder = artifact.has_parent_path() ? artifact.parent_path() : fs::path(".");
  ASSAY_ASSIGN(auto list, LockFile::claim(folder / ("." + artifact.filename().string() + ".assay"),
                                          {.cannot = "cannot write candidates here",
                                           .in_use = "another run is writing its candidates here",
                                           .where = artifact.string(),
                                           .fix = "Name another file for them with --iter-artifact"}));
  std::unique_ptr<ScratchFiles> files(new ScratchFiles(std::move(list)));
  ASSAY_TRY(files->remove_left_over(log));
  return files;
}

base::Status ScratchFiles::remove_left_over(base::Log& log) {
  ASSAY_ASSIGN(const std::string text, base::read_file(list_->path()));
  std::vector<std::string> names = base::split(text, '\n');
  std::erase_if(names, [](const std::string& name) { return name.empty() || name.find('/') != std::string::npos; });
  const fs::path folder = list_->path().parent_path();
  std::error_code code;
  std::vector<fs::path> left_over;
  if (!names.empty()) {
    ASSAY_ASSIGN(const std::vector<fs::path> files, base::list_folder(folder.empty() ? "." : folder));
    for (const fs::path& path : files) {
      const std::string file = path.filename().string();
      const auto is_it = [&](const std::string& name) { return file == name || base::is_temporary_of(file, name); };
      if (!fs::is_directory(path, code) && std::ranges::any_of(names, is_it)) left_over.push_back(path);
    }
  }
  for (const fs::path& file : left_over) {
    log.verbose("Removing {}, which a killed run left", file.string());
    fs::remove(file, code);
  }
  if (::ftruncate(list_->fd(), 0) != 0) {
    return base::fail(base::system_error("cannot write", list_->path().string(), errno));
  }
  return {};
}

ScratchFiles::~ScratchFiles() {
  std::error_code ignored;
  if (!keep_) {
    for (const fs::path& file : files_) fs::remove(file, ignored);
  }
}

base::Status ScratchFiles::add(const std::vector<fs::path>& paths) {
  const std::lock_guard lock(mutex_);
  std::error_code code;
  std::string lines;
  for (const fs::path& path : paths) {
    if (fs::exists(fs::symlink_status(path, code))) {
      return base::fail(base::ErrorKind::invalid_input, "the file for candidates exists already and may be yours",
                        path.string(), "Remove it, or name another with --iter-artifact");
    }
    lines += path.filename().string() + "\n";
  }
  const int fd = list_->fd();
  if (::pwrite(fd, lines.data(), lines.size(), ::lseek(fd, 0, SEEK_END)) != static_cast<ssize_t>(lines.size()) ||
      ::fdatasync(fd) != 0) {
    return base::fail(base::system_error("cannot write", list_->path().string(), errno));
  }
  files_.insert(files_.end(), paths.begin(), paths.end());
  return {};
}

}  // namespace assay::reduce
