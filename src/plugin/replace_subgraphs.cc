// The model is written into a temporary folder, where python/plugins.py reads it and leaves its results.
#include "plugin/replace_subgraphs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "base/absolute_path.h"
#include "base/files.h"
#include "base/strings.h"
#include "base/temp_dir.h"
#include "model/input_specs.h"
#include "model/load.h"
#include "model/save.h"
#include "python/embedded.h"
#include "worker/process.h"

namespace assay::plugin {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

// Exit statuses of python/plugins.py.
constexpr int kNoPackage = 3;
constexpr int kBadPlugin = 4;
constexpr int kBadConfig = 5;

std::string last_line(std::string_view output) {
  return base::split(base::trim(output), '\n').back();
}

// `config`: the file of sub-graphs.
base::Status check_end(const worker::Exited& exited, const PluginFolder& folder, const std::string& config) {
  switch (exited.code) {
    case 0:
      return {};
    case kNoPackage:
      return fail(ErrorKind::not_found, last_line(exited.output), folder.path.string(),
                  fmt::format("Install it: {} -m pip install onnx onnx-graphsurgeon", folder.python));
    case kBadPlugin:
      return fail(ErrorKind::invalid_input, last_line(exited.output), folder.path.string(), "Correct it");
    case kBadConfig:
      return fail(ErrorKind::invalid_input, last_line(exited.output), config,
                  "Correct it, or write it again with `assay plugin match`");
    default:
      return fail(ErrorKind::invalid_input, fmt::format("a plug-in failed:\n{}\n", base::trim(exited.output)),
                  folder.path.string(), "Correct its pattern.py");
  }
}

using Json = nlohmann::json;

std::vector<PluginCount> to_counts(const Json& list) {
  std::vector<PluginCount> counts;
  for (const auto& item : list) {
    counts.push_back(
        {item.value("name", ""), item.value("found", std::int64_t{0}), item.value("replaced", std::int64_t{0})});
  }
  return counts;
}

std::vector<Instance> to_instances(const Json& list) {
  std::vector<Instance> instances;
  for (const auto& item : list) {
    instances.push_back({.plugin = item.value("plugin", ""),
                         .op = item.value("op", ""),
                         .inputs = item["inputs"].get<std::vector<std::string>>(),
                         .outputs = item["outputs"].get<std::vector<std::string>>(),
                         .attributes = item["attributes"].dump()});
  }
  return instances;
}

// Runs python/plugins.py in `scratch` with these arguments after RESULT, the file of sub-graphs first, and returns what
// it left there.
base::Expected<Json> run(const std::string& action, const model::Model& model, const PluginFolder& folder,
                         const fs::path& scratch, const std::vector<std::string>& arguments, const base::Stop& stop,
                         base::Log& log) {
  ASSAY_TRY(base::write_file(scratch / "plugins.py", kPluginsScript));
  // Large weights go to a file of their own: the model may be larger than a protobuf message.
  model::SaveOptions options;
  options.external_data_path = "weights.data";
  ASSAY_TRY(model::save(model, scratch / "model.onnx", options));
  const fs::path result = scratch / "result.json";
  worker::Command command{.argv = {folder.python, scratch / "plugins.py", action, scratch / "model.onnx",
                                   base::absolute_path(folder.path).string(), result},
                          .environment = {{"PYTHONDONTWRITEBYTECODE", "1"}},
                          .folder = {}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  ASSAY_ASSIGN(const auto outcome, worker::run(command, folder.limits, stop));
  if (!outcome) return fail(worker::to_error(outcome.error(), folder.path.string()));
  ASSAY_TRY(check_end(*outcome, folder, arguments.front()));
  if (const auto output = base::trim(outcome->output); !output.empty()) log.verbose("{}", output);
  const auto text = base::read_file(result);  // missing if a pattern.py has called sys.exit()
  Json answer = text ? Json::parse(*text, nullptr, false) : Json();
  if (!answer.is_array()) {
    return fail(ErrorKind::invalid_input, "the results of the plug-ins can't be read", folder.path.string(),
                "Check the names and attributes of the sub-graphs, and that no pattern.py ends Python");
  }
  return answer;
}

}  // namespace

base::Expected<std::vector<std::string>> list_plugins(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return fail(ErrorKind::not_found, "there is no such folder", folder.string(), "Check the path in --plugin-dir");
  }
  ASSAY_ASSIGN(const std::vector<fs::path> entries, base::list_folder(folder));
  std::vector<std::string> names;
  for (const fs::path& entry : entries) {
    if (fs::is_regular_file(entry / "pattern.py", error)) names.push_back(entry.filename().string());
  }
  return names;
}

base::Expected<Matches> find_subgraphs(const model::Model& model, const PluginFolder& folder,
                                       const std::vector<std::string>& plugins, const base::Stop& stop,
                                       base::Log& log) {
  ASSAY_ASSIGN(const base::TempDir scratch, base::TempDir::create());
  const fs::path config = scratch.path() / "config.yaml";
  std::vector<std::string> arguments = {config.string()};
  arguments.insert(arguments.end(), plugins.begin(), plugins.end());
  Matches matches;
  ASSAY_ASSIGN(const Json counts, run("match", model, folder, scratch.path(), arguments, stop, log));
  matches.plugins = to_counts(counts);
  ASSAY_ASSIGN(matches.config, base::read_file(config));
  return matches;
}

base::Expected<std::vector<Instance>> read_instances(const model::Model& model, const PluginFolder& folder,
                                                     const fs::path& config, const base::Stop& stop, base::Log& log) {
  ASSAY_TRY(base::read_file(config));  // a clear error if it is missing
  ASSAY_ASSIGN(const base::TempDir scratch, base::TempDir::create());
  ASSAY_ASSIGN(const Json list, run("instances", model, folder, scratch.path(), {config.string()}, stop, log));
  return to_instances(list);
}

base::Expected<Replaced> replace_subgraphs(const model::Model& model, const PluginFolder& folder,
                                           const fs::path& config, const fs::path& output, const base::Stop& stop,
                                           base::Log& log, const std::vector<std::size_t>& chosen) {
  ASSAY_TRY(base::read_file(config));  // a clear error if it is missing
  ASSAY_ASSIGN(const base::TempDir scratch, base::TempDir::create());
  const fs::path replaced = scratch.path() / "replaced.onnx";
  std::vector<std::string> arguments = {config.string(), replaced.string()};
  for (const std::size_t number : chosen) arguments.push_back(std::to_string(number));
  ASSAY_ASSIGN(const Json counts, run("replace", model, folder, scratch.path(), arguments, stop, log));
  ASSAY_ASSIGN(const model::Model result, model::load(replaced));
  ASSAY_TRY(model::save(result, output));
  return Replaced{to_counts(counts), model::lost_inputs(model::inputs_with_values(model.graph()), result.proto)};
}

}  // namespace assay::plugin
