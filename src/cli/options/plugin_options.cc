#include "cli/options/plugin_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace assay::cli {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

void PluginOptions::add_folder_to(CLI::App& app) {
  app.add_option("--plugin-dir", folder_, "Folder of the plug-ins, each a folder with a file pattern.py")
      ->option_text("FOLDER")
      ->required();
}

void PluginOptions::add_choice_to(CLI::App& app) {
  CLI::Option* include =
      app.add_option("--include", include_, "Use only these plug-ins")->option_text("NAME")->expected(1, -1);
  app.add_option("--exclude", exclude_, "Use all plug-ins except these")
      ->option_text("NAME")
      ->expected(1, -1)
      ->excludes(include);
}

base::Expected<std::vector<std::string>> PluginOptions::names(base::Log& log) const {
  ASSAY_ASSIGN(std::vector<std::string> names, plugin::list_plugins(folder_));
  if (names.empty()) {
    log.warning("There is no plug-in in {}: each is a folder there with a file pattern.py", folder_.string());
  }
  for (const std::vector<std::string>* given : {&include_, &exclude_}) {
    for (const std::string& name : *given) {
      if (!contains(names, name)) log.warning("There is no plug-in '{}' in {}", name, folder_.string());
    }
  }
  std::erase_if(names, [&](const std::string& name) {
    return contains(exclude_, name) || (!include_.empty() && !contains(include_, name));
  });
  return names;
}

std::string counts_text(const std::vector<plugin::PluginCount>& plugins) {
  std::vector<std::string> parts;
  for (const plugin::PluginCount& plugin : plugins) parts.push_back(fmt::format("'{}': {}", plugin.name, plugin.found));
  return "{" + base::join(parts, ", ") + "}";
}

}  // namespace assay::cli
