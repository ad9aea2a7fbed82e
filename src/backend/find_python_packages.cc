// Follows Python's own rules: packages are below the prefix, which is the folder above the interpreter's bin folder. An
// interpreter in a virtual environment is a symbolic link whose bin folder is next to a pyvenv.cfg; any other link is
// followed to the program that it points to.
#include "backend/find_python_packages.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/files.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;

// Returns the chain of links from `program` to the program that it finally points to, including both.
std::vector<fs::path> link_chain(fs::path program) {
  constexpr int kMostLinks = 16;
  std::vector<fs::path> chain;
  std::error_code code;
  for (int i = 0; i < kMostLinks; ++i) {
    chain.push_back(program);
    const fs::path target = fs::read_symlink(program, code);
    if (code) break;
    program = (program.parent_path() / target).lexically_normal();
  }
  return chain;
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// Returns the interpreter behind pyenv's shim. The scripts in ROOT/shims start the version that ROOT/version names.
fs::path behind_shim(const fs::path& program) {
  if (program.parent_path().filename() != "shims") return program;
  const fs::path root = program.parent_path().parent_path();
  const std::string version = first_line(root / "version");
  const fs::path real = root / "versions" / version / "bin" / "python3";
  std::error_code code;
  return !version.empty() && fs::exists(real, code) ? real : program;
}

std::optional<fs::path> first_python(const std::vector<fs::path>& path) {
  std::error_code code;
  for (const fs::path& folder : path) {
    if (fs::is_regular_file(folder / "python3", code)) return behind_shim(folder / "python3");
  }
  return std::nullopt;
}

// Returns the interpreter's name if it contains the version ("python3.11"), else an empty text. Limits the search to
// packages of that version.
std::string versioned_name(const fs::path& program) {
  const std::string name = program.filename().string();
  return name.starts_with("python3.") ? name : std::string();
}

// Adds the folders below a prefix, such as lib/python3.11/site-packages. lib/python3 is Debian's folder for all
// versions.
void add_packages(const fs::path& prefix, const std::string& version, const std::string& python,
                  std::vector<PythonPackages>& found) {
  std::error_code code;
  for (const char* lib : {"lib", "lib64", "local/lib"}) {
    std::vector<fs::path> folders = base::list_folder(prefix / lib).value_or(std::vector<fs::path>{});
    std::erase_if(folders, [&](const fs::path& folder) {
      const std::string name = folder.filename().string();
      return !(version.empty() ? name.starts_with("python3") : name == version || name == "python3");
    });
    std::ranges::sort(folders, std::greater());
    for (const fs::path& folder : folders) {
      for (const char* packages : {"site-packages", "dist-packages"}) {
        if (fs::is_directory(folder / packages, code)) found.push_back({folder / packages, python});
      }
    }
  }
}

}  // namespace

fs::path package_folder(const fs::path& libexec) {
  const fs::path packages = libexec.parent_path().parent_path().parent_path();
  const bool is_package = packages.filename() == "site-packages" || packages.filename() == "dist-packages";
  return is_package ? packages : fs::path();
}

std::vector<PythonPackages> find_python_packages(const fs::path& virtual_env, const std::vector<fs::path>& path,
                                                 const fs::path& home) {
  std::vector<PythonPackages> found;
  if (!virtual_env.empty()) add_packages(virtual_env, "", virtual_env.string(), found);
  const auto python = first_python(path);
  if (!python) return found;
  const std::vector<fs::path> chain = link_chain(*python);
  const std::string version = versioned_name(chain.back());
  std::error_code code;
  for (const fs::path& program : chain) {
    const fs::path prefix = program.parent_path().parent_path();
    const bool is_environment = fs::exists(prefix / "pyvenv.cfg", code);
    if (!is_environment && program != chain.back()) continue;
    if (!is_environment && !home.empty()) add_packages(home / ".local", version, python->string(), found);
    add_packages(prefix, version, python->string(), found);
    if (is_environment) break;
  }
  return found;
}

}  // namespace assay::backend
