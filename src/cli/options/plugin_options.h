// Options that choose plug-ins.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "plugin/replace_subgraphs.h"

namespace assay::cli {

class PluginOptions {
 public:
  static constexpr const char* kInterpreterHelp =
      "Run the patterns in this Python, which has the packages onnx and onnx-graphsurgeon";

  void add_folder_to(CLI::App& app);  // --plugin-dir
  void add_choice_to(CLI::App& app);  // --include and --exclude

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  // Returns the plug-ins of the folder that are chosen. Warns of names that it doesn't have. Errors: those of
  // plugin::list_plugins().
  [[nodiscard]] base::Expected<std::vector<std::string>> names(base::Log& log) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

// Returns "{'one': 2, 'other': 0}", as Polygraphy prints it.
std::string counts_text(const std::vector<plugin::PluginCount>& plugins);

}  // namespace assay::cli
