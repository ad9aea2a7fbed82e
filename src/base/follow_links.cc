// A link into a missing folder is an error, although missing folders of other outputs are created: such a link is
// usually out of date, or its disk isn't mounted.
#include "base/follow_links.h"

#include <cerrno>
#include <system_error>

#include "base/read_error.h"

namespace assay::base {
namespace fs = std::filesystem;

Expected<fs::path> follow_links(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // as many as Linux follows
  fs::path target = path;
  std::error_code code;
  int links = 0;
  for (; fs::is_symlink(fs::symlink_status(target, code)); ++links) {
    if (links == kMaxLinks) return fail(read_error("cannot follow the symbolic link", path.string(), ELOOP));
    const fs::path next = fs::read_symlink(target, code);
    if (code) return fail(read_error("cannot follow the symbolic link", target.string(), code.value()));
    target = target.parent_path() / next;  // `next` alone if it is absolute
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (links > 0 && !fs::is_directory(folder, code)) {
    return fail(ErrorKind::not_found, "this symbolic link leads to '" + target.string() + "', in a missing folder",
                path.string(), "Create that folder, or remove the link");
  }
  return target;
}

}  // namespace assay::base
