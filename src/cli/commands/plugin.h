// `assay plugin match`, `list` and `replace`: sub-graphs that plug-ins can compute.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"
#include "plugin/replace_subgraphs.h"

namespace assay::cli {

// The options that all three commands have.
class PluginOptions {
 public:
  void add_to(CLI::App& app);
  // Loads the model with the chosen outputs. Errors: unsupported if an option can't work here.
  [[nodiscard]] base::Expected<model::Model> load(base::Log& log) const;
  [[nodiscard]] const plugin::PluginFolder& folder() const { return folder_; }
  // Returns a file of this name next to the model.
  [[nodiscard]] std::filesystem::path beside_model(const char* name) const {
    return std::filesystem::path(model_.file()).parent_path() / name;
  }

 private:
  ModelOptions model_;
  OutputOptions marked_;
  RefusedOptions refused_;
  plugin::PluginFolder folder_;
};

// Counts the sub-graphs.
class PluginList : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 protected:
  [[nodiscard]] base::Expected<plugin::Matches> find(Context& context) const;
  PluginOptions options_;

 private:
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

// Also saves where they are.
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

 private:
  PluginOptions options_;
  std::filesystem::path config_;
  std::filesystem::path output_;
};

}  // namespace assay::cli
