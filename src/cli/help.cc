#include "cli/help.h"

#include <fmt/format.h>

#include "cli/commands.h"

namespace assay::cli {

std::string top_help() {
  std::string text =
      "Assay finds out why an ONNX model fails and reduces it to the nodes that matter.\n\n"
      "Usage: assay TOOL [SUBTOOL] [OPTIONS]\n\nTools:\n";
  for (const ToolRow& row : tools()) text += fmt::format("  {:<12} {}\n", row.tool, row.summary);
  text +=
      "\nOptions:\n"
      "  -h, --help     Show this text, or that of the tool or subtool before it\n"
      "  -v, --version  Show the versions of Assay, of ONNX and of the engines found\n"
      "\nExample:\n"
      "  assay debug reduce model.onnx -o reduced.onnx --check assay run polygraphy_debug.onnx --onnxrt\n";
  return text;
}

std::string tool_help(std::string_view tool) {
  std::string text = fmt::format("Usage: assay {} SUBTOOL [OPTIONS]\n\nSubtools:\n", tool);
  for (const CommandRow& row : commands()) {
    if (row.tool == tool) text += fmt::format("  {:<12} {}\n", row.noun, row.summary);
  }
  text += fmt::format("\n`assay {} SUBTOOL --help` lists the options.\n", tool);
  return text;
}

}  // namespace assay::cli
