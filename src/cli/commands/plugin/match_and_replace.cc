// `assay plugin match`, `list` and `replace`: sub-graphs that plug-ins can compute.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/context/print_json.h"
#include "cli/options/check_paths.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/output_file.h"
#include "cli/options/output_options.h"
#include "cli/options/plugin_options.h"
#include "cli/options/refused_options.h"
#include "cli/steps/lost_inputs.h"
#include "edit/mark_outputs.h"
#include "plugin/replace_subgraphs.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

// The options that all three commands share.
class SharedOptions {
 public:
  void add_to(CLI::App& app);
  void add_choice_to(CLI::App& app) { plugins_.add_choice_to(app); }
  // Loads the model with the chosen outputs. Errors: unsupported if an option can't work here.
  [[nodiscard]] base::Expected<model::Model> load(base::Log& log) const;
  [[nodiscard]] plugin::PluginFolder folder() const { return {.path = plugins_.folder(), .python = python_}; }
  [[nodiscard]] const PluginOptions& plugins() const { return plugins_; }
  [[nodiscard]] bool json() const { return format_.json(); }
  [[nodiscard]] const std::string& model_file() const { return model_.file(); }
  // Returns a file of this name next to the model.
  [[nodiscard]] std::filesystem::path next_to_model(const char* name) const {
    return std::filesystem::path(model_.file()).parent_path() / name;
  }
  // Checks that the output can be written, before the work starts. If there is no model, loading it is the first error.
  [[nodiscard]] base::Status check_output(const std::filesystem::path& output) const {
    const bool is_next_to_nothing =
        output.parent_path() == next_to_model("").parent_path() && !base::exists(model_.file());
    return is_next_to_nothing ? base::Status() : check_writable(output.string(), "-o");
  }

 private:
  ModelOptions model_;
  OutputOptions marked_;
  RefusedOptions refused_;
  PluginOptions plugins_;
  FormatOption format_;
  std::string python_ = plugin::PluginFolder().python;
};

// `plugin list`: counts the sub-graphs.
class PluginList : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return options_.json(); }

 protected:
  // Logs the counts.
  [[nodiscard]] base::Expected<plugin::Matches> find(Context& context) const;
  void print(const plugin::Matches& matches, const std::string& config, Context& context) const;
  SharedOptions options_;
};

// `plugin match`: also saves where they are.
class PluginMatch final : public PluginList {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  std::filesystem::path output_;
};

class PluginReplace final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return options_.json(); }

 private:
  SharedOptions options_;
  std::filesystem::path config_;
  std::filesystem::path output_;
};

}  // namespace

void SharedOptions::add_to(CLI::App& app) {
  model_.add_to(app, {.inference = ModelOptions::Inference::opt_in, .float16 = true});
  marked_.add_to(app, "onnx-");
  plugins_.add_folder_to(app);
  app.add_option("--python-interpreter", python_, PluginOptions::kInterpreterHelp)
      ->option_text("PROGRAM")
      ->capture_default_str();
  format_.add_to(app);
  refused_.add_inputs_to(app, "is for runs of the model, and patterns are found without running it");
}

base::Expected<model::Model> SharedOptions::load(base::Log& log) const {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const edit::MarkOptions marked, marked_.options());
  ASSAY_ASSIGN(model::Model model, model_.load(log));
  if (!marked.empty()) ASSAY_TRY(edit::mark_outputs(model, marked, log));
  return model;
}

void PluginList::add_options(CLI::App& app) {
  options_.add_to(app);
  options_.add_choice_to(app);
}

base::Expected<plugin::Matches> PluginList::find(Context& context) const {
  ASSAY_ASSIGN(const std::vector<std::string> names, options_.plugins().names(context.log));
  ASSAY_ASSIGN(const model::Model model, options_.load(context.log));
  ASSAY_ASSIGN(plugin::Matches matches,
               plugin::find_subgraphs(model, options_.folder(), names, context.stop, context.log));
  context.log.info("Sub-graphs that plug-ins can compute: {}", counts_text(matches.plugins));
  return matches;
}

void PluginList::print(const plugin::Matches& matches, const std::string& config, Context& context) const {
  if (!options_.json()) return;
  Json plugins = Json::array();
  for (const plugin::PluginCount& plugin : matches.plugins) {
    plugins.push_back({{"name", plugin.name}, {"found", plugin.found}});
  }
  print_json({{"plugins", std::move(plugins)}, {"config", config.empty() ? Json(nullptr) : Json(config)}}, context);
}

base::Expected<int> PluginList::run(Context& context) {
  ASSAY_ASSIGN(const plugin::Matches matches, find(context));
  print(matches, "", context);
  return kExitPassed;
}

void PluginMatch::add_options(CLI::App& app) {
  PluginList::add_options(app);
  add_output(app, output_, "Write the sub-graphs to this file (default: config.yaml next to the model)");
}

base::Expected<int> PluginMatch::run(Context& context) {
  const std::filesystem::path output = output_.empty() ? options_.next_to_model("config.yaml") : output_;
  ASSAY_TRY(check_paths({{"-o", output.string()}}, {{"the model", options_.model_file()}}));
  ASSAY_TRY(options_.check_output(output));
  ASSAY_ASSIGN(const plugin::Matches matches, find(context));
  ASSAY_TRY(base::write_file(output, matches.config));
  context.log.info("Saved them to {}. Delete those that should stay in the model, then run `assay plugin replace`",
                   output.string());
  print(matches, output.string(), context);
  return kExitPassed;
}

void PluginReplace::add_options(CLI::App& app) {
  options_.add_to(app);
  app.add_option("--config", config_, "Read the sub-graphs from this file (default: config.yaml next to the model)")
      ->option_text("FILE");
  add_output(app, output_, "Write the model to this file (default: replaced.onnx next to the model)");
}

base::Expected<int> PluginReplace::run(Context& context) {
  const std::filesystem::path config = config_.empty() ? options_.next_to_model("config.yaml") : config_;
  const std::filesystem::path output = output_.empty() ? options_.next_to_model("replaced.onnx") : output_;
  ASSAY_TRY(check_paths({{"-o", output.string()}}, {{"--config", config.string()}}));
  ASSAY_TRY(options_.check_output(output));
  ASSAY_TRY(plugin::list_plugins(options_.folder().path));  // a clear error if the folder is missing
  ASSAY_ASSIGN(const model::Model model, options_.load(context.log));
  ASSAY_ASSIGN(const plugin::Replaced made,
               plugin::replace_subgraphs(model, options_.folder(), config, output, context.stop, context.log));
  if (made.plugins.empty()) {
    context.log.warning("{} names no sub-graphs, so nothing is replaced. `assay plugin match` writes such a file",
                        config.string());
  }
  Json plugins = Json::array();
  for (const plugin::PluginCount& plugin : made.plugins) {
    plugins.push_back({{"name", plugin.name}, {"found", plugin.found}, {"replaced", plugin.replaced}});
    context.log.info("{}: replaced {} of {} sub-graphs", plugin.name, plugin.replaced, plugin.found);
    if (plugin.replaced < plugin.found) {
      context.log.warning("{}: {} sub-graphs stay, because they overlap with others or the plug-in refused them",
                          plugin.name, plugin.found - plugin.replaced);
    }
  }
  warn_of_lost_inputs(made.lost_inputs, context.log);
  context.log.info("Saved the model to {}", output.string());
  if (options_.json()) {
    print_json({{"plugins", std::move(plugins)}, {"lost_inputs", made.lost_inputs}, {"model", output.string()}},
               context);
  }
  return kExitPassed;
}

std::unique_ptr<Command> make_plugin_list() {
  return std::make_unique<PluginList>();
}

std::unique_ptr<Command> make_plugin_match() {
  return std::make_unique<PluginMatch>();
}

std::unique_ptr<Command> make_plugin_replace() {
  return std::make_unique<PluginReplace>();
}

}  // namespace assay::cli
