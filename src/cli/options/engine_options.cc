// Flags that name an engine may be repeated and mixed; each adds a runner, in the order of the command line. A setting
// is an option that applies to all runners that have it, or is given once per such runner, in their order. Settings in
// the flag of a runner apply to that runner alone and win over options. CLI11 keeps the values of each option together,
// so the order between flags is recovered from the order in which they were parsed.
#include "cli/options/engine_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include "base/absolute_path.h"
#include "base/strings.h"
#include "cli/context/script_python.h"
#include "cli/options/given_options.h"
#include "cli/options/runner_settings.h"
#include "cli/options/runner_tags.h"
#include "cli/options/setting_option.h"
#include "cli/options/validators.h"
#include "run/tensorrt_settings.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/encode_settings.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

const backend::EngineSetting* find_setting(const backend::EngineRow& row, std::string_view flags) {
  const auto at = std::ranges::find(row.settings, flags, &backend::EngineSetting::flags);
  return at == row.settings.end() ? nullptr : &*at;
}

// Returns what to do about a setting without an engine that has it.
std::string leave_out_or_add(std::string_view flags, std::span<const backend::EngineRow> rows) {
  std::vector<std::string> engines;
  for (const backend::EngineRow& row : rows) {
    if (find_setting(row, flags) != nullptr) engines.emplace_back(row.flag);
  }
  const std::string others = flags == kPythonInterpreter ? ". Scripts and LPIPS use it, too" : "";
  return "Leave it out, or add the engine that it is for: " + base::join(engines, " or ") + others;
}

// Checks that no two runners save an engine or its tactics to the same file, of which only the last would stay.
base::Status check_saved_files(const std::vector<run::EngineSetup>& setups) {
  for (const char* option : run::kSaving) {
    std::set<std::string> files;
    for (const run::EngineSetup& setup : setups) {
      const auto file = setup.spec.options.find(option);
      if (file == setup.spec.options.end() || files.insert(file->second).second) continue;
      return base::fail(base::ErrorKind::invalid_input, "two runners save to the same file", option,
                        fmt::format("Name a file for each, as --trt=NAME:{}=FILE", std::string_view(option).substr(2)));
    }
  }
  return {};
}

}  // namespace

run::EngineSetup engine_setup(const backend::EngineRow& row, std::filesystem::path library) {
  return {.runner = std::string(row.runner),
          .engine = std::string(row.name),
          .spec = backend::make_engine_spec(row, std::move(library)),
          .limits = {}};
}

struct EngineOptions::Runner {
  const backend::EngineRow* row = nullptr;
  std::string name;         // given by the user; may be empty
  std::string value;        // path given with the flag; may be empty
  RunnerSettings settings;  // from options
  RunnerSettings own;       // from the flag
};

void EngineOptions::add_to(CLI::App& app) {
  app_ = &app;
  for (const backend::EngineRow& row : implied_ ? rows_.first(0) : rows_) {
    CLI::Option* option =
        row.value.empty() ? app.add_flag(std::string(row.flag)) : app.add_option(std::string(row.flag));
    if (!row.value.empty()) {
      option->type_name(std::string(row.value))->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      option->allow_extra_args(false);
    }
    option->description(std::string(row.help))->group("Runners");
  }
  for (const backend::EngineRow& row : rows_) {
    for (const backend::EngineSetting& setting : row.settings) {
      const auto [at, is_new] = values_.try_emplace(setting.flags);
      if (is_new) add_setting(app, row, setting, at->second);  // several engines may have it
    }
  }
  constexpr auto kLimits = "Limits";
  app.add_option("--engine-timeout", timeout_s_,
                 "Stop an engine if loading or one run takes longer than this many seconds (default: no limit)")
      ->option_text("SECONDS")
      ->check(above_zero())
      ->group(kLimits);
  app.add_option("--engine-memory", memory_,
                 "Stop an engine if it uses more memory than this, e.g. 4G (default: no limit)")
      ->option_text("SIZE")
      ->check(size_above_zero())
      ->group(kLimits);
}

void EngineOptions::add_tensorrt_to(CLI::App& app, const std::vector<std::span<const tensorrt::Setting>>& groups) {
  for (const auto& settings : groups) tensorrt_.add_to(app, settings, "TensorRT");
}

base::Expected<std::vector<EngineOptions::Runner>> EngineOptions::runners() const {
  std::vector<Runner> runners;
  if (implied_) runners.emplace_back().row = rows_.data();
  std::map<const CLI::Option*, std::size_t> seen;
  for (const CLI::Option* option : app_->parse_order()) {
    const auto row = std::ranges::find_if(
        rows_, [&](const backend::EngineRow& r) { return option->check_name(std::string(r.flag)); });
    if (row == rows_.end() || implied_) continue;
    Runner runner;
    runner.row = &*row;
    const std::string word = option->results().at(seen[option]++);
    if (!row->value.empty()) {
      if (word.empty()) {
        return fail(ErrorKind::invalid_input, "the module is missing", std::string(row->flag),
                    "Give the path of a .py file that has load() and infer()");
      }
      runner.value = base::absolute_path(word).string();
      runner.name = std::filesystem::path(word).stem().string();
    } else if (word != "true") {
      ASSAY_ASSIGN(NamedSettings named, parse_runner(word, *row));
      runner.name = std::move(named.name);
      runner.own = std::move(named.settings);
    }
    runners.push_back(std::move(runner));
  }
  if (runners.empty() && default_row_ != nullptr) runners.emplace_back().row = default_row_;
  return runners;
}

base::Expected<std::string> EngineOptions::flag_with_library() const {
  ASSAY_ASSIGN(const std::vector<Runner> runners, this->runners());
  const auto runner = std::ranges::find_if(runners, [](const Runner& r) { return !r.own.library.empty(); });
  return runner == runners.end() ? std::string() : std::string(runner->row->flag);
}

bool EngineOptions::is_for_scripts(std::string_view flags) const {
  return flags == kPythonInterpreter && needs_script_python(*app_);
}

base::Status EngineOptions::apply_options(std::vector<Runner>& runners) const {
  for (const auto& [flags, values] : values_) {
    if (values.empty()) continue;
    std::vector<SettingTaker> takers;
    for (Runner& runner : runners) {
      const backend::EngineSetting* setting = find_setting(*runner.row, flags);
      if (setting != nullptr) takers.push_back({&runner.settings, setting});
    }
    if (takers.empty() && !runners.empty() && !is_for_scripts(flags)) {
      return fail(ErrorKind::invalid_input, "none of the given engines has this setting", first_spelling(flags),
                  leave_out_or_add(flags, rows_));
    }
    ASSAY_TRY(give_values(values, takers));
  }
  const std::map<std::string, std::string> tensorrt =
      tensorrt::encode_settings(tensorrt::keep_shapes(tensorrt_.given()));
  bool any = false;
  for (Runner& runner : runners) {
    if (!runner.row->has_tensorrt_settings) continue;
    any = true;
    for (const auto& [name, words] : tensorrt) runner.settings.options[name] = words;
  }
  if (any || tensorrt.empty()) return {};
  return fail(ErrorKind::invalid_input, "this is a setting of TensorRT, which doesn't run", tensorrt.begin()->first,
              "Leave it out, or add --trt");
}

base::Status EngineOptions::check_unused() const {
  std::string given = tensorrt_.given().all().empty() ? std::string() : tensorrt_.given().all().begin()->first;
  std::string fix = "Leave it out, or add the engine that it is for: --trt";
  for (const auto& [flags, values] : values_) {
    if (values.empty() || is_for_scripts(flags)) continue;
    given = first_spelling(flags);
    fix = leave_out_or_add(flags, rows_);
  }
  for (const auto& [limit, is_given] :
       {std::pair{"--engine-timeout", timeout_s_ > 0}, std::pair{"--engine-memory", !memory_.empty()}}) {
    if (!is_given) continue;
    given = limit;
    fix = "Leave it out, or add an engine, e.g. --onnxrt";
  }
  if (given.empty()) return {};
  if (implied_) {
    return fail(ErrorKind::invalid_input, fmt::format("this is a setting of {}, which doesn't run", rows_.front().name),
                given, "Leave it out");
  }
  return fail(ErrorKind::invalid_input, "this is a setting of engines, and none runs", given, std::move(fix));
}

base::Expected<std::vector<run::EngineSetup>> EngineOptions::setups(const Installation& installation) const {
  ASSAY_ASSIGN(std::vector<Runner> runners, this->runners());
  ASSAY_TRY(apply_options(runners));
  worker::Limits limits;
  if (timeout_s_ > 0) limits.time_s = timeout_s_;
  if (!memory_.empty()) {
    ASSAY_ASSIGN(limits.memory_bytes, base::parse_size(memory_));
  }
  std::vector<run::EngineSetup> setups;
  std::vector<RunnerIdentity> identities;
  for (Runner& runner : runners) {
    const std::string& named = runner.own.library.empty() ? runner.settings.library : runner.own.library;
    ASSAY_ASSIGN(const auto library, backend::find_engine(*runner.row, named, installation.engines));
    run::EngineSetup setup = engine_setup(*runner.row, library);
    setup.limits = limits;
    for (const auto& [key, value] : runner.settings.options) setup.spec.options[key] = value;
    for (const auto& [key, value] : runner.own.options) setup.spec.options[key] = value;
    if (!runner.value.empty()) {
      setup.spec.options[std::string(runner.row->value_key)] = runner.value;
      setup.engine += " " + runner.value;
    }
    identities.push_back({.row = runner.row, .name = runner.name, .spec = setup.spec});
    setups.push_back(std::move(setup));
  }
  ASSAY_TRY(check_saved_files(setups));
  const auto now = std::chrono::system_clock::now();
  const std::vector<std::string> tags = runner_tags(identities);
  for (std::size_t i = 0; i < setups.size(); ++i) {
    setups[i].runner = data::make_runner_name(tags[i], static_cast<int>(i), now);
  }
  return setups;
}

}  // namespace assay::cli
