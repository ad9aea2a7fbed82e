#include <fmt/format.h>
#include <unistd.h>

#include "base/strings.h"
#include "worker/process.h"

namespace assay::worker {
namespace fs = std::filesystem;

base::Expected<fs::path> find_program(const std::string& name, std::string_view path) {
  if (name.empty()) return base::fail(base::ErrorKind::invalid_input, "the command is empty");
  std::error_code code;
  const auto runnable = [&code](const fs::path& file) {
    return fs::is_regular_file(file, code) && ::access(file.c_str(), X_OK) == 0;
  };
  constexpr const char* kQuoted =
      "Write the command without quotes around it, since each word is an argument of its own";
  if (name.find('/') != std::string::npos) {
    if (runnable(name)) return name;
    if (!fs::exists(name, code)) {
      return base::fail(base::ErrorKind::not_found, fmt::format("there is no program '{}'", name), {},
                        runnable(name.substr(0, name.find(' '))) ? kQuoted : "Check the path");
    }
    if (fs::is_directory(name, code)) {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is a folder, not a program", name), {},
                        "Name the program in it");
    }
    return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is not an executable file", name), {},
                      "Make the file executable (chmod +x), or name the interpreter before it");
  }
  for (const std::string& folder : base::split(path, ':')) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (runnable(file)) return fs::absolute(file, code);
  }
  std::string fix = "Check the spelling, or give the path of the program";
  if (fs::is_directory(name, code)) {
    fix = fmt::format("'{}' is a folder in the current one: name the program in it", name);
  } else if (fs::is_regular_file(name, code)) {
    fix = fmt::format("A file of that name is in the current folder: write ./{}", name);
  } else if (name.find(' ') != std::string::npos) {
    fix = kQuoted;
  }
  return base::fail(base::ErrorKind::not_found, fmt::format("there is no program '{}' in the folders of PATH", name),
                    {}, std::move(fix));
}

}  // namespace assay::worker
