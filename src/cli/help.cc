#include "cli/help.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/terminal/wrap_text.h"

namespace assay::cli {

namespace {

std::string row(std::string_view name, std::string_view summary, int width) {
  constexpr int kColumn = 21;
  return wrap_text(fmt::format("  {:<{}} {}", name, kColumn - 3, summary), width, kColumn) + "\n";
}

}  // namespace

std::string top_help(int width) {
  std::string text =
      wrap_text("Assay finds out why an ONNX model fails and reduces it to the nodes that matter.", width, 0) +
      "\n\nUsage: assay TOOL [SUBTOOL] [OPTIONS]\n\nTools:\n";
  for (const ToolRow& tool : tools()) text += row(tool.tool, tool.summary, width);
  text += "\nOptions:\n" + row("-h, --help", "Show this text, or that of the tool or subtool before it", width) +
          row("-v, --version", "Show the versions of Assay, of ONNX and of the engines found", width) + "\nExamples:\n";
  for (const std::string_view example :
       {"  assay run model.onnx --onnxrt --openvino",
        "  assay debug reduce model.onnx -o reduced.onnx --check assay run polygraphy_debug.onnx --onnxrt",
        "  assay diagnose model.onnx --onnxrt"}) {
    text += wrap_command(example, width, 6) + "\n";
  }
  return text;
}

std::string tool_help(std::string_view tool, int width) {
  std::string text = fmt::format("Usage: assay {} SUBTOOL [OPTIONS]\n\nSubtools:\n", tool);
  for (const CommandRow& command : commands()) {
    if (command.tool == tool) text += row(command.noun, command.summary, width);
  }
  text += fmt::format("\n`assay {} SUBTOOL --help` lists the options.\n", tool);
  return text;
}

}  // namespace assay::cli
