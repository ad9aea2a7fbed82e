#include "cli/options/check_paths.h"

#include <filesystem>
#include <system_error>

#include "base/abandoned_files.h"
#include "base/atomic_file.h"
#include "model/overwrite_check.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

fs::path real(const std::string& path) {
  std::error_code code;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, code), code);
  const fs::path normal = (code ? fs::path(path) : found).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // "out/" is "out"
}

// Returns whether the paths are files, folders or new. Several options may write to /dev/null or a pipe.
bool can_clash(const OptionPath& one, const OptionPath& other) {
  if (one.path.empty() || other.path.empty()) return false;
  std::error_code code;
  const fs::file_status status = fs::status(one.path, code);
  return !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
}

// Returns whether the paths are the same, or `written` is a file in the folder that is read, or has weights of the
// model that is read, if it is one.
bool clash(const OptionPath& written, const OptionPath& other) {
  const fs::path one = real(written.path);
  const fs::path two = real(other.path);
  if (one == two || one.parent_path() == two) return true;
  return model::has_weights_in(other.path, written.path);
}

}  // namespace

base::Status check_paths(const std::vector<OptionPath>& written, const std::vector<OptionPath>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (!can_clash(written[i], written[k]) || real(written[i].path) != real(written[k].path)) continue;
      return base::fail(base::ErrorKind::invalid_input,
                        written[k].option + " and " + written[i].option + " would write to the same place",
                        written[i].path, "Give each a file or folder of its own");
    }
    for (const OptionPath& other : read) {
      if (!can_clash(written[i], other) || !clash(written[i], other)) continue;
      return base::fail(base::ErrorKind::invalid_input,
                        written[i].option + " would write to what " + other.option + " reads", written[i].path,
                        "Save to another file");
    }
  }
  return {};
}

base::Error name_option(base::Error error, const std::string& option) {
  error.fix += (error.fix.empty() ? "" : ". ") + ("The option that names the file is " + option);
  return error;
}

base::Status check_writable(const std::string& path, const std::string& option) {
  std::error_code code;
  if (path.empty() || fs::is_fifo(path, code)) return {};  // closing a pipe would end its reader
  if (auto file = base::AtomicFile::create(path); !file) {
    return base::fail(name_option(file.error(), option));
  }
  base::remove_abandoned(path);
  return {};
}

base::Status check_writable_folder(const std::string& folder, const std::string& option) {
  if (folder.empty()) return {};
  auto status = check_writable((fs::path(folder) / "new-file").string(), option);
  if (!status) status.error().where = folder;
  return status;
}

}  // namespace assay::cli
