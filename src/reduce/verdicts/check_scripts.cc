#include "reduce/verdicts/check_scripts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/files.h"
#include "base/strings.h"
#include "reduce/verdicts/hash.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLongestScript = 1 << 20;  // bytes; anything longer is data
constexpr std::array<std::string_view, 6> kScriptEndings = {".py", ".sh", ".bash", ".pl", ".rb", ".lua"};

bool is_small_file(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && fs::file_size(path, code) <= kLongestScript && !code;
}

// Returns true for programs and scripts. Other files on the command line may be written by the check itself.
bool is_script(const fs::path& path) {
  std::error_code code;
  const bool runs = (fs::status(path, code).permissions() & fs::perms::owner_exec) != fs::perms::none;
  return runs || std::ranges::find(kScriptEndings, path.extension().string()) != kScriptEndings.end();
}

// Returns the paths that a word may name: the word itself, and its parts, as in "sh -c 'exec python check.py {model}'".
std::vector<fs::path> files_of(const std::string& word) {
  std::vector<fs::path> files = {word};
  std::string text = word;
  std::ranges::replace_if(
      text, [](char c) { return std::string_view(" \t\n;&|()<>\"'").find(c) != std::string_view::npos; }, ' ');
  for (std::string& part : base::split(text, ' ')) files.emplace_back(std::move(part));
  return files;
}

}  // namespace

std::string hash_of_scripts(const std::vector<std::string>& command, const fs::path& artifact,
                            std::span<const fs::path> search_path) {
  std::vector<fs::path> files;
  if (!command.empty() && command[0].find('/') == std::string::npos) {
    for (const fs::path& folder : search_path) files.push_back(folder / command[0]);
  }
  for (const std::string& word : command) std::ranges::move(files_of(word), std::back_inserter(files));
  Hash hash;
  bool interpreter = true;  // so far only programs, which run the next file whatever its name
  for (const fs::path& file : files) {
    if (file.lexically_normal() == artifact.lexically_normal() || !is_small_file(file)) continue;
    const std::string text = base::read_file(file).value_or("");
    if (is_script(file) || interpreter) hash.add(text);
    interpreter = interpreter && text.starts_with("\177ELF");
  }
  return hash.hex();
}

}  // namespace assay::reduce
