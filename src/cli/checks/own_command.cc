#include "cli/checks/own_command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "backend/find_python_packages.h"
#include "base/stop.h"
#include "cli/commands.h"
#include "cli/context/version.h"
#include "worker/process.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kNoChecks = {"debug", "diagnose"};
constexpr double kSecondsToAnswer = 20;  // for a wrapper that is asked for its version

// Returns the file that a shell would run for this word; empty if there is none.
fs::path find_program(const std::string& word, const Installation& installation) {
  std::error_code code;
  if (word.find('/') != std::string::npos) return fs::canonical(word, code);
  for (const fs::path& folder : installation.engines.path) {
    const fs::path found = fs::canonical(folder / word, code);
    if (!code) return found;
  }
  return {};
}

// Returns the script that starts this program if it is installed as a Python package; else an empty path.
fs::path launcher(const Installation& installation) {
  const fs::path packages = backend::package_folder(installation.libexec);
  std::error_code code;
  return packages.empty() ? fs::path() : fs::canonical(backend::prefix_of(packages) / "bin" / "assay", code);
}

}  // namespace

bool names_check_tool(const std::vector<std::string>& words) {
  if (words.size() < 2 || std::ranges::find(kNoChecks, words[1]) != kNoChecks.end()) return false;
  return std::ranges::any_of(tools(), [&](const ToolRow& row) { return row.tool == words[1]; });
}

bool is_this_program(const std::vector<std::string>& words, const Installation& installation) {
  if (!names_check_tool(words)) return false;
  const fs::path program = find_program(words[0], installation);
  if (program == installation.executable || (!program.empty() && program == launcher(installation))) return true;
  return program.empty() && (words[0] == "assay" || words[0] == "polygraphy");
}

bool is_wrapper(const std::vector<std::string>& words, const Installation& installation) {
  if (!names_check_tool(words) || fs::path(words[0]).filename() != "assay" || is_this_program(words, installation)) {
    return false;
  }
  const worker::Command command{.argv = {words[0], "--version"},
                                .environment = {},
                                .folder = {},
                                .open_files = installation.open_files,
                                .guard = installation.libexec / "assay-guard"};
  const base::Stop stop;
  const auto outcome = worker::run(command, {.time_s = kSecondsToAnswer, .memory_bytes = {}}, stop);
  return outcome && *outcome && (*outcome)->code == 0 &&
         ("\n" + (*outcome)->output).find("\n" + program_version() + "\n") != std::string::npos;
}

bool is_own_command(const std::vector<std::string>& words, const Installation& installation) {
  return is_this_program(words, installation) || is_wrapper(words, installation);
}

}  // namespace assay::cli
