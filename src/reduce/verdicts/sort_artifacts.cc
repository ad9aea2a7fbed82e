#include "reduce/verdicts/sort_artifacts.h"

#include <array>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "reduce/verdicts/replay.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

std::string format_time(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local = {};
  ::localtime_r(&seconds, &local);
  std::array<char, 32> text = {};
  const std::size_t length = std::strftime(text.data(), text.size(), "%m-%d-%y_%H-%M-%S", &local);
  return {text.data(), length};
}

const char* folder_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::passes:
      return "good";
    case Verdict::Kind::fails:
      return "bad";
    case Verdict::Kind::unresolved:
      break;
  }
  return "unresolved";
}

// Copies a file or folder, or nothing. fs::copy() would report a full disk as "Input/output error" for a file, and
// leave half of it.
base::Status copy_whole(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (fs::is_regular_file(from, code)) {
    ASSAY_TRY(base::copy_file(from, to, base::Durability::process));
    const fs::perms permissions = fs::status(from, code).permissions();
    if (!code) fs::permissions(to, permissions, code);  // some file systems have none
    return {};
  }
  fs::copy(from, to, fs::copy_options::recursive, code);
  if (!code) return {};
  base::Error error = base::system_error("cannot copy a folder", to.string(), code.value());
  fs::remove_all(to, code);
  return base::fail(std::move(error));
}

// Moves a file or folder. In place of a symbolic link, copies what it points to: in another folder, a relative link
// would point elsewhere, and the next iteration may overwrite the target of any.
base::Status move_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (!fs::is_symlink(from, code)) {
    fs::rename(from, to, code);
    if (!code) return {};
    if (code != std::errc::cross_device_link) {
      return base::fail(base::system_error("cannot move it there", to.string(), code.value()));
    }
  }
  ASSAY_TRY(copy_whole(from, to));
  fs::remove_all(from, code);
  if (code) return base::fail(base::system_error("cannot remove it after copying it", from.string(), code.value()));
  return {};
}

}  // namespace

ArtifactSorter::ArtifactSorter(std::vector<fs::path> artifacts, fs::path folder,
                               std::chrono::system_clock::time_point started, base::Log& log)
    : artifacts_(std::move(artifacts)), folder_(std::move(folder)), time_(format_time(started)), log_(&log) {}

void ArtifactSorter::sort(const Iteration& iteration, Verdict::Kind kind) {
  for (const fs::path& artifact : artifacts_) {
    const std::string name =
        artifact.stem().string() + "_" + time_ + replay_key(iteration) + artifact.extension().string();
    move(artifact, folder_ / folder_of(kind) / name);
  }
}

void ArtifactSorter::move(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (!fs::exists(from, code)) {
    log_->error("Artifact {} doesn't exist and is skipped. Does the check write it?", from.string());
    return;
  }
  if (fs::exists(to, code)) {
    log_->error("Artifact {} is skipped: {} exists already", from.string(), to.string());
    return;
  }
  fs::create_directories(to.parent_path(), code);
  const base::Status moved =
      code ? base::fail(base::system_error("cannot create the folder", to.parent_path().string(), code.value()))
           : move_or_copy(from, to);
  if (!moved) {
    log_->error("Cannot move artifact {}: {}", from.string(), moved.error().message());
  } else {
    log_->verbose("Moved {} to {}", from.string(), to.string());
  }
}

}  // namespace assay::reduce
