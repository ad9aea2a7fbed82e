#include "reduce/judge/check_scripts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "reduce/verdicts/hash.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLongestScript = 1 << 20;  // bytes
constexpr std::array<std::string_view, 6> kScriptEndings = {".py", ".sh", ".bash", ".pl", ".rb", ".lua"};
constexpr std::string_view kProgram = "\177ELF";  // begins the file of a program

// Returns the text of a file, or nothing if it isn't a regular file or is too long for a script.
std::optional<std::string> text_of(const fs::path& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code) || fs::file_size(path, code) > kLongestScript || code) return std::nullopt;
  return base::read_file(path).value_or("");
}

// Returns true for programs and scripts.
bool is_script(const fs::path& path) {
  std::error_code code;
  const bool runs = (fs::status(path, code).permissions() & fs::perms::owner_exec) != fs::perms::none;
  return runs || std::ranges::find(kScriptEndings, path.extension().string()) != kScriptEndings.end();
}

// Returns the parts of a word that may be paths, as in "exec python check.py {model}".
std::vector<std::string> parts_of(std::string word) {
  std::ranges::replace_if(
      word, [](char c) { return std::string_view(" \t\n;&|()<>\"'").find(c) != std::string_view::npos; }, ' ');
  return base::split(word, ' ');
}

}  // namespace

std::vector<std::string> texts_of_scripts(const std::vector<std::string>& command,
                                          std::span<const fs::path> search_path) {
  std::vector<std::string> texts;
  const auto add = [&](const fs::path& file) {
    if (std::optional<std::string> text = text_of(file)) texts.push_back(*std::move(text));
  };
  if (command.empty()) return texts;
  if (command[0].find('/') == std::string::npos) {
    for (const fs::path& folder : search_path) add(folder / command[0]);
  }
  add(command[0]);
  // Whether the next word that isn't an option is a file that a program runs. A script has only arguments.
  bool is_run = std::ranges::all_of(texts, [](const std::string& text) { return text.starts_with(kProgram); });
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    const bool is_option = word.starts_with('-');
    if (is_script(word) || (is_run && !is_option)) add(word);
    if (!is_option) is_run = false;
    for (const std::string& part : parts_of(word)) {
      if (part != word && is_script(part)) add(part);
    }
  }
  return texts;
}

std::string hash_of_scripts(const std::vector<std::string>& command, std::span<const fs::path> search_path) {
  Hash hash;
  for (const std::string& text : texts_of_scripts(command, search_path)) hash.add(text);
  return hash.hex();
}

}  // namespace assay::reduce
