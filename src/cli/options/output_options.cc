#include "cli/options/output_options.h"

#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "cli/options/given_options.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

constexpr auto kHowToName = "If you mean a tensor whose name begins with @, write '[@]NAME'";

// Returns the trimmed lines of a file, without empty ones and those that begin with #.
base::Expected<std::vector<std::string>> read_words(const std::string& path, const std::string& word) {
  auto text = base::read_file(path);
  if (!text) {
    base::Error error = std::move(text).error();
    error.what = "'" + word + "' stands for a file of names, one per line: " + error.what;
    if (error.fix.empty()) error.fix = kHowToName;
    return fail(std::move(error));
  }
  if (text->find('\0') != std::string::npos) {
    return fail(ErrorKind::invalid_input, "'" + word + "' stands for a file of names, one per line, and it isn't text",
                path, "Give a file of names. " + std::string(kHowToName));
  }
  std::vector<std::string> words;
  for (const std::string& line : base::split(*text, '\n')) {
    const std::string_view name = base::trim(line);
    if (!name.empty() && !name.starts_with('#')) words.emplace_back(name);
  }
  if (!words.empty()) return words;
  return fail(ErrorKind::invalid_input, "the file contains no names", path, "Put a name or a pattern on each line");
}

// Replaces each word @FILE by the names in the file. Errors name the option.
base::Status read_files(std::vector<std::string>& words, const std::string& option) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    if (!word.starts_with('@')) {
      all.push_back(word);
      continue;
    }
    const auto more = read_words(word.substr(1), word);
    if (!more) return fail(base::Error(more.error()).within(option));
    all.insert(all.end(), more->begin(), more->end());
  }
  words = std::move(all);
  return {};
}

}  // namespace

void OutputOptions::add_to(CLI::App& app, const std::string& prefix) {
  options_.labels = {.outputs = "--" + prefix + "outputs",
                     .types = "--" + prefix + "outputs-by-type",
                     .exclude = "--" + prefix + "exclude-outputs"};
  const auto add = [&](const std::string& name, std::vector<std::string>& words, const std::string& help) {
    CLI::Option* option = app.add_option("--" + prefix + name, words, help);
    all_.push_back(option->option_text("NAME")->expected(1, -1)->group("ONNX Model Loading"));
    return option;
  };
  add("outputs", options_.outputs,
      "Make these tensors the outputs: names, patterns such as 'conv_*', '*' for all, or @FILE for a file with one "
      "name or pattern per line");
  add("exclude-outputs", options_.exclude, "Remove these outputs: names, patterns or @FILE");
  add("outputs-by-type", options_.types,
      "Make all outputs of nodes of these types outputs of the model, e.g. Conv Add, or all tensors of an element "
      "type, e.g. float16; or @FILE")
      ->option_text("TYPE");
}

std::string OutputOptions::first_given() const {
  return cli::first_given(all_);
}

void OutputOptions::warn_of_unused(std::string_view reason, base::Log& log) const {
  warn_of_given(all_, reason, log);
}

base::Expected<edit::MarkOptions> OutputOptions::options() const {
  edit::MarkOptions options = options_;
  if (options.outputs == std::vector<std::string>{"mark", "all"}) {
    options.outputs.clear();
    options.all = true;
  }
  ASSAY_TRY(read_files(options.outputs, options.labels.outputs));
  ASSAY_TRY(read_files(options.exclude, options.labels.exclude));
  ASSAY_TRY(read_files(options.types, options.labels.types));
  return options;
}

}  // namespace assay::cli
