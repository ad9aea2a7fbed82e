// Words of the command are searched for the artifact's file name. A hit counts if the path that ends there, made
// absolute, is the artifact's. For a candidate only the file name is replaced, so the user's spelling of the folder
// stays; for the whole model the path is.
#include "reduce/judge/command_for.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "base/strings.h"
#include "reduce/judge/check_scripts.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

fs::path plain(const fs::path& path) {
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code);
  return (code ? path : absolute).lexically_normal();
}

// Returns whether the character ends a path in the text of a shell or another language.
bool ends_path(char c) {
  return std::string_view(" \t\n\r\"'`=:,;()<>|&[]{}$*?!\\#").find(c) != std::string_view::npos;
}

// "a.onnx" is neither in "a.onnx.json" nor in "a.onnx/b", but it is in "see a.onnx."
bool ends_word(std::string_view rest) {
  if (rest.empty() || ends_path(rest[0])) return true;
  return rest[0] == '.' && (rest.size() == 1 || ends_path(rest[1]));
}

// Calls replace(begin, name) for each path to `artifact` in `text`, with the positions of the path and of the file name
// that ends it. The search continues at the position that the callback returns.
template <class Replace>
bool each_mention(std::string& text, const fs::path& artifact, const Replace& replace) {
  const std::string name = artifact.filename().string();
  const fs::path meant = plain(artifact);
  if (name.empty()) return false;
  if (text.ends_with(name) && plain(text) == meant) {  // the whole word, whatever characters its folders have
    replace(0, text.size() - name.size());
    return true;
  }
  bool found = false;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    std::size_t begin = at;
    while (begin > 0 && !ends_path(text[begin - 1])) --begin;
    const std::string path = text.substr(begin, at + name.size() - begin);
    const bool variable = begin > 0 && (text[begin - 1] == '$' || text[begin - 1] == '}');  // the folder is unknown
    if (!variable && ends_word(std::string_view(text).substr(at + name.size())) && plain(path) == meant) {
      at = replace(begin, at);
      found = true;
    } else {
      at += name.size();
    }
  }
  return found;
}

}  // namespace

worker::Command command_for(const std::vector<std::string>& words, const fs::path& artifact, const fs::path& model) {
  worker::Command command{.argv = words, .environment = {{kModelVariable, plain(model).string()}}, .folder = {}};
  const std::string from = artifact.filename().string();
  const std::string to = model.filename().string();
  for (std::size_t i = 1; i < command.argv.size(); ++i) {
    std::string& word = command.argv[i];
    if (from != to) {
      each_mention(word, artifact, [&](std::size_t, std::size_t at) {
        word.replace(at, from.size(), to);
        return at + to.size();
      });
    }
    word = base::replace_all(word, kModelWord, model.string());
  }
  return command;
}

std::optional<worker::Command> command_for_whole(const std::vector<std::string>& words, const fs::path& artifact,
                                                 const fs::path& whole) {
  worker::Command command{.argv = words, .environment = {{kModelVariable, plain(whole).string()}}, .folder = {}};
  const std::string to = whole.string();
  const std::size_t name_size = artifact.filename().string().size();
  bool names_file = false;
  for (std::size_t i = 1; i < command.argv.size(); ++i) {
    std::string& word = command.argv[i];
    if (word.find(kModelWord) != std::string::npos) names_file = true;
    const bool mentions = each_mention(word, artifact, [&](std::size_t begin, std::size_t name) {
      word.replace(begin, name + name_size - begin, to);
      return begin + to.size();
    });
    if (mentions) names_file = true;
    word = base::replace_all(word, kModelWord, to);
  }
  return names_file ? std::optional(std::move(command)) : std::nullopt;
}

std::optional<std::string> why_alone(const std::vector<std::string>& words, const fs::path& artifact,
                                     std::span<const fs::path> program_folders) {
  const auto has_variable = [](std::string_view text) { return text.find(kModelVariable) != std::string_view::npos; };
  if (std::ranges::any_of(words, has_variable)) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string word = words[i];
    if (word.find(kModelWord) != std::string::npos) return std::nullopt;
    const auto skip = [&](std::size_t, std::size_t at) { return at + artifact.filename().string().size(); };
    if (each_mention(word, artifact, skip)) return std::nullopt;
  }
  for (const std::string& text : texts_of_scripts(words, program_folders)) {
    const bool is_program = text.find('\0') != std::string::npos;
    if (!is_program && has_variable(text)) return std::nullopt;
  }
  return fmt::format("the check mentions neither '{}' nor {} nor the variable {}, so it can read only one file",
                     artifact.string(), kModelWord, kModelVariable);
}

std::optional<std::string> why_blind(const std::vector<std::string>& words, const fs::path& artifact,
                                     const fs::path& whole, std::span<const fs::path> program_folders) {
  const std::string name = artifact.filename().string();
  const auto mentions = [&](std::string_view text) {
    return text.find(name) != std::string_view::npos || text.find(kModelWord) != std::string_view::npos ||
           text.find(kModelVariable) != std::string_view::npos;
  };
  if (std::ranges::any_of(words, mentions) || std::ranges::any_of(texts_of_scripts(words, program_folders), mentions)) {
    return std::nullopt;
  }
  const auto is_whole = [&](const std::string& word) {
    std::error_code code;
    return !whole.empty() && fs::equivalent(word, whole, code);
  };
  if (const auto word = std::ranges::find_if(words, is_whole); word != words.end()) {
    return fmt::format(
        "The check runs on '{}', which is the whole model, and mentions no candidate: write {} instead, or '{}'", *word,
        kModelWord, artifact.string());
  }
  return fmt::format(
      "The check mentions neither '{0}' nor {1} nor {2}. If it doesn't know by itself that candidates are in '{0}', "
      "write {1} where it takes the model",
      artifact.string(), kModelWord, kModelVariable);
}

}  // namespace assay::reduce
