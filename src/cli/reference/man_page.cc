#include "cli/reference/man_page.h"

#include <fmt/format.h>

#include "backend/engine_table.h"
#include "base/strings.h"
#include "cli/terminal/help_format.h"

namespace assay::cli {
namespace {

// Escapes text so that troff takes it literally: backslashes, dashes, and lines that would start a request.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool line_start = result.empty() || result.back() == '\n';
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string option_entry(const OptionFacts& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", plain(name)));
  std::string head = base::join(names, ", ");
  if (option.takes_value && !option.positional()) {
    head += option.choices.empty() ? fmt::format(" \\fI{}\\fR", plain(option.value))
                                   : " " + plain(base::join(option.choices, "|"));
    if (option.repeats || option.remainder) head += "\\~...";
  }
  return fmt::format(".TP\n{}\n{}\n", head, plain(option.help + option.notes));
}

std::string command_section(const CommandFacts& command) {
  std::string text = fmt::format(".SS \"assay {}\"\n{}\n", plain(command.words()), plain(command.summary));
  for (const OptionFacts& option : command.options) {
    if (option.group != "Logging" && option.names[0] != "-h") text += option_entry(option);
  }
  if (!command.examples.empty()) {
    text += ".PP\nExamples:\n.PP\n.nf\n";
    for (const std::string& example : example_commands(command.examples)) {
      text += "assay " + plain(base::trim(example)) + "\n";
    }
    text += ".fi\n";
  }
  return text;
}

}  // namespace

std::string man_page(std::string_view version, std::span<const ToolRow> tools, std::span<const CommandFacts> commands) {
  std::string text = fmt::format(
      ".TH ASSAY 1 \"\" \"assay {}\" \"User Commands\"\n.SH NAME\nassay \\- find out why an ONNX model fails\n"
      ".SH SYNOPSIS\n.B assay\n.I TOOL\n[\\fISUBTOOL\\fR] [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n"
      "Assay finds out why an ONNX model fails and reduces it to the nodes that matter. Engines run in processes of "
      "their own: if one crashes, hangs or runs out of memory, Assay reports it and continues.\n",
      plain(version));
  for (const ToolRow& row : tools) text += fmt::format(".TP\n.B {}\n{}\n", plain(row.tool), plain(row.summary));
  text += ".SH COMMANDS\n";
  for (const CommandFacts& command : commands) text += command_section(command);
  if (!commands.empty()) {
    text += ".SH OPTIONS OF EVERY COMMAND\n";
    for (const OptionFacts& option : commands[0].options) {
      if (option.group == "Logging" || option.names[0] == "-h") text += option_entry(option);
    }
  }
  text +=
      ".SH EXIT STATUS\n.TP\n.B 0\npassed\n.TP\n.B 1\nan error, or a comparison, validation or check that failed\n"
      ".TP\n.B 2\nthe command line is invalid (an unknown option: 1)\n.TP\n.B 3\ndiagnose only: the budget ended "
      "before the cause was "
      "found\n.TP\n.B 130\nstopped by Ctrl\\-C\n"
      ".PP\nIf an engine can't load or run the model, \\fBrun \\-\\-refused\\-code\\fR sets another status than 1.\n"
      ".SH ENVIRONMENT\n";
  for (const backend::EngineRow& engine : backend::engine_rows()) {
    if (engine.library.variable.empty()) continue;
    text +=
        fmt::format(".TP\n.B {}\nthe {} library to use if no option names one\n", engine.library.variable, engine.name);
  }
  text +=
      ".TP\n.B ASSAY_MODEL\nset by Assay for a check: the path of the model under test\n"
      ".TP\n.B NO_COLOR\nif set, no colours in the log\n.TP\n.B TMPDIR\nthe folder for temporary files\n";
  return text;
}

}  // namespace assay::cli
