#include "cli/usage_errors.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <vector>

#include "backend/engine_table.h"
#include "base/similar_names.h"
#include "cli/commands.h"
#include "cli/context/command.h"
#include "cli/parse/explain_parse_error.h"

namespace assay::cli {
namespace {

std::vector<std::string> tool_names() {
  std::vector<std::string> names;
  for (const ToolRow& row : tools()) names.emplace_back(row.tool);
  return names;
}

// Returns "Did you mean X? ", to be followed by the general advice, or an empty string if no name is similar.
std::string suggest(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string question = base::did_you_mean(names, wanted);
  return question.empty() ? "" : question + " ";
}

void set_usage_error(const Streams& streams, std::string_view message) {
  if (streams.error == nullptr) return;
  *streams.error = base::Error{
      .kind = base::ErrorKind::invalid_input, .what = std::string(message), .where = std::string(kUsage), .fix = {}};
}

// Returns "--word" for "-word", which the user may have meant.
std::string with_two_dashes(const std::string& word) {
  return word.starts_with("--") ? word : "-" + word;
}

}  // namespace

int usage_error(const Streams& streams, std::string_view message) {
  fmt::print(streams.err, "assay: {}\n", message);
  set_usage_error(streams, message);
  return kExitUsage;
}

int unknown_command(const Streams& streams, const std::string& tool, const std::string& noun) {
  if (!tool_exists(tool)) {
    const bool is_argument = tool.starts_with('-') || tool.find('.') != std::string::npos;
    std::string question =
        is_argument ? "The tool comes first, as in `assay run MODEL --onnxrt`. " : suggest(tool_names(), tool);
    for (const CommandRow& row : commands()) {
      if (row.noun == tool) question = fmt::format("Did you mean {} {}? ", row.tool, row.noun);
    }
    return usage_error(streams, fmt::format("there is no tool '{}'. {}`assay --help` lists the tools", tool, question));
  }
  return usage_error(streams, fmt::format("'{}' has no subtool '{}'. {}`assay {} --help` lists its subtools", tool,
                                          noun, suggest(subtools(tool), noun), tool));
}

int parse_error(const Streams& streams, const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::string question;
  for (const std::string& word : app.remaining()) {
    if (!question.empty() || !word.starts_with('-') || word.size() < 3) continue;
    const bool follows_dashes = std::ranges::find(options, word) != options.end();
    const bool is_engine =
        std::ranges::any_of(backend::engine_rows(), [&](const auto& row) { return row.flag == word; });
    if (is_engine && app.get_option_no_throw("--check") != nullptr) {
      question = fmt::format("Engines run in the check: --check assay run polygraphy_debug.onnx {}. ", word);
    } else {
      question = follows_dashes ? "Options can't follow --. " : suggest(options, with_two_dashes(word));
    }
  }
  const std::string message = explain_parse_error(app, error);
  fmt::print(streams.err, "{}: {}\n{}Run `{} --help` for the options.\n", app.get_name(), message, question,
             app.get_name());
  set_usage_error(streams, message);
  const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return is_unknown && !streams.in_check ? kExitFailed : kExitUsage;
}

}  // namespace assay::cli
