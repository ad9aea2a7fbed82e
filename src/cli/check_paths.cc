#include "cli/check_paths.h"

#include <filesystem>
#include <system_error>

#include "base/abandoned_files.h"
#include "base/files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

fs::path real(const std::string& path) {
  std::error_code code;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, code), code);
  return (code ? fs::path(path) : found).lexically_normal();
}

// Files, folders and new paths can clash; several options may write to /dev/null or a pipe.
bool can_meet(const OptionPath& one, const OptionPath& other) {
  if (one.path.empty() || other.path.empty()) return false;
  std::error_code code;
  const fs::file_status status = fs::status(one.path, code);
  return !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
}

// The two paths are the same, or `written` is a file in the folder that is read.
bool meet(const OptionPath& written, const OptionPath& other) {
  const fs::path one = real(written.path);
  const fs::path two = real(other.path);
  return one == two || one.parent_path() == two;
}

}  // namespace

base::Status check_paths(const std::vector<OptionPath>& written, const std::vector<OptionPath>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (!can_meet(written[i], written[k]) || real(written[i].path) != real(written[k].path)) continue;
      return base::fail(base::ErrorKind::invalid_input,
                        written[k].option + " and " + written[i].option + " would write to the same place",
                        written[i].path, "Give each a file or folder of its own");
    }
    for (const OptionPath& other : read) {
      if (!can_meet(written[i], other) || !meet(written[i], other)) continue;
      return base::fail(base::ErrorKind::invalid_input,
                        written[i].option + " would write to what " + other.option + " reads", written[i].path,
                        "Save to another file");
    }
  }
  return {};
}

base::Status check_writable(const std::string& path, const std::string& option) {
  if (path.empty()) return {};
  if (auto file = base::AtomicFile::create(path); !file) {
    base::Error error = file.error();
    error.fix += (error.fix.empty() ? "" : ". ") + ("The option that names the file is " + option);
    return base::fail(std::move(error));
  }
  base::remove_abandoned(path);
  return {};
}

}  // namespace assay::cli
