#include "tensorrt/config_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "base/pattern.h"
#include "base/similar_names.h"
#include "base/strings.h"
#include "tensorrt/removed_settings.h"

namespace assay::tensorrt {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::array kBounds = {"--trt-min-shapes", "--trt-opt-shapes", "--trt-max-shapes"};

template <class Number>
base::Expected<Number> parse_number(const std::string& word, std::string_view option) {
  Number number{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code == std::errc() && end == word.data() + word.size()) return number;
  if (code == std::errc::result_out_of_range) {
    return fail(ErrorKind::invalid_input, fmt::format("TensorRT can't have the number {}", word), std::string(option));
  }
  return fail(ErrorKind::invalid_input, fmt::format("'{}' isn't a number", word), std::string(option));
}

std::string text_of(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

// Checks that min <= opt <= max for every size of an input.
base::Status check_range(const std::string& input, const Profile::Range& range) {
  if (range.min.size() != range.opt.size() || range.opt.size() != range.max.size()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the shapes {}, {} and {} of a profile have different ranks", text_of(range.min),
                            text_of(range.opt), text_of(range.max)),
                input);
  }
  for (std::size_t i = 0; i < range.min.size(); ++i) {
    if (range.min[i] <= range.opt[i] && range.opt[i] <= range.max[i]) continue;
    return fail(
        ErrorKind::invalid_input,
        fmt::format("the shapes {}, {} and {} of a profile decrease: size {} is {}, {} and {}", text_of(range.min),
                    text_of(range.opt), text_of(range.max), i, range.min[i], range.opt[i], range.max[i]),
        input, "Give the smallest, the most usual and the largest shape, in this order of options");
  }
  return {};
}

// Returns profile `index`. Inputs that an option of it doesn't mention have the shape that the option before it gives
// them, or else that of `inputs`: so one option is enough for inputs of fixed sizes.
base::Expected<Profile> make_profile(const GivenSettings& given, std::size_t index, Shapes inputs) {
  std::array<Shapes, kBounds.size()> bounds;
  std::set<std::string> named;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    const std::vector<Words>& occurrences = given.occurrences(kBounds[i]);
    if (index < occurrences.size()) {
      ASSAY_ASSIGN(const Shapes shapes, parse_shapes_or_values(occurrences[index], kBounds[i]));
      for (const auto& [name, shape] : shapes) {
        inputs[name] = shape;
        named.insert(name);
      }
    }
    bounds[i] = inputs;
  }
  Profile profile;
  for (const auto& [name, max] : bounds.back()) {
    for (std::size_t i = 0; i + 1 < kBounds.size(); ++i) {
      if (bounds[i].contains(name)) continue;
      return fail(ErrorKind::invalid_input, fmt::format("profile {} has no shape for the input '{}'", index + 1, name),
                  kBounds[i], "Give a shape with each of --trt-min-shapes, --trt-opt-shapes and --trt-max-shapes");
    }
    const Profile::Range range{
        .min = bounds[0].at(name), .opt = bounds[1].at(name), .max = max, .is_optional = !named.contains(name)};
    ASSAY_TRY(check_range(name, range));
    profile.inputs.emplace(name, range);
  }
  return profile;
}

base::Status plan_profiles(const GivenSettings& given, const Shapes& inputs, ConfigPlan& plan) {
  std::size_t count = inputs.empty() ? 0 : 1;
  for (const char* option : kBounds) count = std::max(count, given.occurrences(option).size());
  for (std::size_t i = 0; i < count; ++i) {
    ASSAY_ASSIGN(Profile profile, make_profile(given, i, inputs));
    plan.profiles.push_back(std::move(profile));
  }
  return {};
}

base::Status plan_setting(const Setting& setting, const GivenSettings& given, ConfigPlan& plan) {
  using Form = Setting::Form;
  if (setting.member.empty()) return {};
  const std::string member(setting.member);
  if (!given.has(setting.name())) {
    if (setting.default_on && !plan.begin) plan.cleared.push_back(member);
    return {};
  }
  if (setting.form == Form::flag) {
    plan.flags.push_back(member);
  } else if (setting.form == Form::number) {
    ASSAY_ASSIGN(plan.numbers[member], parse_number<std::int32_t>(given.word(setting.name()), setting.name()));
  } else if (setting.form == Form::choice) {
    ASSAY_ASSIGN(const std::string name, parse_enumerator(given.word(setting.name()), setting.name()));
    plan.choices[member] = {.type = std::string(setting.type), .name = name};
  } else {
    ConfigPlan::List& list = plan.lists[member];
    list.type = setting.type;
    for (const std::string& word : given.words(setting.name())) {
      ASSAY_ASSIGN(std::string name, parse_enumerator(word, setting.name()));
      list.names.push_back(std::move(name));
    }
  }
  return {};
}

base::Status plan_precision_constraints(const GivenSettings& given, ConfigPlan& plan) {
  constexpr std::string_view kOption = "--precision-constraints";
  const std::string mode = given.word(kOption);
  if (mode == "obey") {
    plan.flags.emplace_back("OBEY_PRECISION_CONSTRAINTS");
  } else if (mode == "prefer") {
    plan.flags.emplace_back("PREFER_PRECISION_CONSTRAINTS");
  } else if (!mode.empty() && mode != "none") {
    return fail(ErrorKind::invalid_input, fmt::format("there is no mode '{}'", mode), std::string(kOption),
                "Use prefer, obey or none");
  }
  return {};
}

base::Status plan_pools(const GivenSettings& given, ConfigPlan& plan) {
  constexpr std::string_view kOption = "--pool-limit";
  for (const std::string& word : given.words(kOption)) {
    ASSAY_ASSIGN(const auto pair, parse_pair(word, kOption));
    ASSAY_ASSIGN(const std::string pool, parse_enumerator(pair.first, kOption));
    ASSAY_ASSIGN(plan.pool_limits[pool], base::parse_size(pair.second));
  }
  return {};
}

base::Status plan_calibration(const GivenSettings& given, ConfigPlan& plan) {
  const bool has_more = given.has("--calib-base-cls") || given.has("--quantile") || given.has("--regression-cutoff");
  const bool has_cache = given.has("--calibration-cache");
  if (!has_cache && !has_more) return {};
  if (!has_cache && !given.allows_int8()) {
    return fail(ErrorKind::invalid_input, "there is no calibration", "--int8",
                "Give --int8, which calibrates, or the file of a calibration cache, --calibration-cache");
  }
  Calibrator& calibrator = plan.calibrator.emplace();
  if (has_cache) calibrator.cache = absolute_path(given.word("--calibration-cache"));
  if (given.has("--calib-base-cls")) calibrator.base = given.word("--calib-base-cls");
  ASSAY_TRY(parse_enumerator(calibrator.base, "--calib-base-cls"));
  // The base of all calibrators has no algorithm. Polygraphy's default is the same.
  if (calibrator.base == "IInt8Calibrator") calibrator.base = Calibrator().base;
  for (const auto& [option, value] : {std::pair{"--quantile", &calibrator.quantile},
                                      std::pair{"--regression-cutoff", &calibrator.regression_cutoff}}) {
    if (!given.has(option)) continue;
    if (calibrator.base != kLegacyCalibrator) {
      return fail(ErrorKind::invalid_input, fmt::format("{} doesn't have this setting", calibrator.base), option,
                  fmt::format("It belongs to --calib-base-cls {}", kLegacyCalibrator));
    }
    ASSAY_ASSIGN(*value, parse_number<double>(given.word(option), option));
    if (*value >= 0 && *value <= 1) continue;
    return fail(ErrorKind::invalid_input, fmt::format("{} isn't between 0 and 1", given.word(option)), option);
  }
  return {};
}

// The builder gives all layers that are alike the tactic that it found for the first of them, without asking for
// theirs, unless it times each one by itself. A timing cache of the user's is used and filled nevertheless.
base::Status plan_tactics(const GivenSettings& given, ConfigPlan& plan) {
  if (given.has("--save-tactics") && given.has("--load-tactics")) {
    return fail(ErrorKind::invalid_input, "tactics can't be recorded while those of a file are used", "--save-tactics",
                "Leave out --save-tactics or --load-tactics");
  }
  if (given.has("--save-tactics")) plan.save_tactics = absolute_path(given.word("--save-tactics"));
  if (given.has("--load-tactics")) plan.load_tactics = absolute_path(given.word("--load-tactics"));
  const bool has_tactics = given.has("--save-tactics") || given.has("--load-tactics");
  const bool has_cache = given.has("--load-timing-cache") || given.has("--save-timing-cache");
  if (has_tactics && !has_cache) plan.flags.emplace_back("DISABLE_TIMING_CACHE");
  return {};
}

// These settings say in which types TensorRT may or has to compute, which it can't choose in a strongly typed network.
base::Status check_precisions(const GivenSettings& given) {
  if (!given.has("--strongly-typed")) return {};
  for (const char* option : {"--best", "--fp16", "--bf16", "--fp8", "--int8", "--layer-precisions",
                             "--precision-constraints", "--calibration-cache"}) {
    if (!given.has(option) || given.word(option) == "none") continue;
    return fail(ErrorKind::invalid_input, "layers of a strongly typed network compute in the types of the model",
                option, fmt::format("Leave out {} or --strongly-typed", option));
  }
  return {};
}

// NVIDIA's trtexec allows the same precisions.
void plan_best(const GivenSettings& given, ConfigPlan& plan) {
  if (!given.has("--best")) return;
  for (const char* flag : {"FP16", "BF16", "INT8"}) {
    if (std::ranges::find(plan.flags, flag) == plan.flags.end()) plan.flags_of_best.emplace_back(flag);
  }
}

// The accelerator computes in float16 or int8, so layers must have one of these types, and keep them. If layers can't
// fall back to the GPU, nothing converts the formats of inputs and outputs, so these must be exact. NVIDIA's trtexec
// sets the same flags.
base::Status plan_dla(const GivenSettings& given, ConfigPlan& plan) {
  plan.use_dla = given.has("--use-dla");
  plan.falls_back = given.has("--allow-gpu-fallback");
  if (given.has("--dla-core")) {
    ASSAY_ASSIGN(plan.dla_core, parse_index(given.word("--dla-core"), "--dla-core", "core"));
  }
  if (!plan.use_dla || plan.begin) return {};
  const auto add = [&plan](const char* flag) {
    if (std::ranges::find(plan.flags, flag) == plan.flags.end()) plan.flags_of_10.emplace_back(flag);
  };
  if (!given.allows_int8() && !given.has("--strongly-typed")) add("FP16");
  const bool prefers = given.word("--precision-constraints") != "obey" && !given.has("--strongly-typed");
  if (prefers) add("PREFER_PRECISION_CONSTRAINTS");
  if (!plan.falls_back) add("DIRECT_IO");
  return {};
}

// Only an engine that contains its runtime can contain plug-ins. A script may say that it does.
base::Status plan_plugins(const GivenSettings& given, ConfigPlan& plan) {
  constexpr std::string_view kOption = "--serialize-plugins";
  for (const std::string& file : given.words(kOption)) {
    const std::string path = absolute_path(file);
    if (std::ranges::find(plan.plugins, path) == plan.plugins.end()) plan.plugins.push_back(path);
  }
  const bool contains_runtime = given.has("--version-compatible") && !given.has("--exclude-lean-runtime");
  if (plan.plugins.empty() || contains_runtime || plan.begin || given.has("--trt-config-postprocess-script")) return {};
  return fail(ErrorKind::invalid_input, "only an engine that contains its runtime can contain plug-ins",
              std::string(kOption), "Add --version-compatible and leave out --exclude-lean-runtime, or use --plugins");
}

}  // namespace

base::Expected<ConfigPlan> plan_config(const GivenSettings& given, const Shapes& inputs) {
  ConfigPlan plan;
  plan.needs_10 = removed_in_11(given, config_settings());
  // Settings that the user doesn't give stay as the script has chosen them.
  if (given.has("--trt-config-script")) plan.begin = parse_script(given.word("--trt-config-script"), "load_config");
  ASSAY_TRY(plan_profiles(given, inputs, plan));
  ASSAY_TRY(check_precisions(given));
  for (const Setting& setting : config_settings()) ASSAY_TRY(plan_setting(setting, given, plan));
  if (!plan.begin && !plan.choices.contains("profiling_verbosity")) {
    plan.choices["profiling_verbosity"] = {.type = "ProfilingVerbosity", .name = "DETAILED"};
  }
  plan_best(given, plan);
  ASSAY_TRY(plan_precision_constraints(given, plan));
  ASSAY_TRY(plan_pools(given, plan));
  ASSAY_TRY(plan_calibration(given, plan));
  if (given.has("--load-timing-cache")) plan.timing_cache = absolute_path(given.word("--load-timing-cache"));
  ASSAY_TRY(plan_tactics(given, plan));
  ASSAY_TRY(plan_dla(given, plan));
  ASSAY_TRY(plan_plugins(given, plan));
  if (given.has("--trt-config-postprocess-script")) {
    plan.change = parse_script(given.word("--trt-config-postprocess-script"), "postprocess_config");
  }
  return plan;
}

const Profile::Range* Profile::find(const std::string& input) const {
  const auto found = base::find_entry_for(inputs, input);
  return found == inputs.end() ? nullptr : &found->second;
}

// A word that lacks a name stays as it is: plan_config() says what is wrong with it.
GivenSettings keep_shapes(GivenSettings given) {
  std::size_t profiles = 0;
  for (const char* option : kBounds) profiles = std::max(profiles, given.occurrences(option).size());
  std::map<std::string, std::string> last;  // the word that each input has had last, by its name
  for (std::size_t i = 0; i < profiles; ++i) {
    std::map<std::string, std::string> kept = last;
    for (const char* option : kBounds) {
      if (i >= given.occurrences(option).size()) continue;
      for (const std::string& word : given.occurrences(option)[i]) {
        const auto pair = parse_pair(word, option);
        if (!pair) continue;
        last[pair->first] = word;
        if (option == kBounds.front()) kept.erase(pair->first);
      }
    }
    Words words;
    for (const auto& [name, word] : kept) words.push_back(word);
    if (!words.empty()) given.extend(kBounds.front(), i, words);
  }
  return given;
}

base::Status check_inputs(const ConfigPlan& plan, const std::vector<std::string>& inputs) {
  for (const Profile& profile : plan.profiles) {
    for (const auto& [name, range] : profile.inputs) {
      const auto is_meant = [&name = name](const std::string& input) { return base::stands_for(name, input); };
      if (std::ranges::any_of(inputs, is_meant)) continue;
      return fail(ErrorKind::not_found, "the model has no such input", name, base::did_you_mean(inputs, name));
    }
  }
  return {};
}

}  // namespace assay::tensorrt
