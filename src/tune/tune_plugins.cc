#include "tune/tune_plugins.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/counted.h"
#include "base/strings.h"
#include "base/temp_dir.h"

namespace assay::tune {
namespace {

using base::ErrorKind;

// Returns whether a combination that ends with such an error is to blame, and others may do better.
bool is_of_combination(ErrorKind kind) {
  return kind == ErrorKind::engine || kind == ErrorKind::invalid_input || kind == ErrorKind::unsupported;
}

class Tuner {
 public:
  Tuner(const Subject& subject, const TuneOptions& options, worker::Pool& pool, const base::Stop& stop, base::Log& log)
      : subject_(subject), timing_(options.timing), pool_(pool), stop_(stop), log_(log) {
    timing_.inputs = [this, make = options.timing.inputs](
                         std::span<const tensor::TensorSpec> ports) -> base::Expected<tensor::NamedTensors> {
      if (!inputs_) {
        ASSAY_ASSIGN(inputs_, make(ports));
      }
      return *inputs_;
    };
  }

  base::Expected<Trial> measure(const Combination& combination) {
    base::Expected<Trial> trial = combination.empty() ? time(subject_.source) : change_and_time(combination);
    // Without times of the model as it is, there is nothing to compare with.
    if (!trial && !combination.empty() && is_of_combination(trial.error().kind)) {
      trial = Trial{.outcome = Trial::Outcome::fails, .problem = trial.error().message()};
    }
    if (!trial) return trial;
    trial->replacements = combination;
    report(*trial);
    return trial;
  }

 private:
  base::Expected<Trial> time(const worker::ModelSource& model) {
    ASSAY_ASSIGN(const ModelTimes found, time_model(subject_.engine, model, timing_, pool_, log_));
    return Trial{.times = found.times, .load_s = found.load_s};
  }

  base::Expected<Trial> change_and_time(const Combination& combination) {
    ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
    const std::filesystem::path file = folder.path() / "model.onnx";
    ASSAY_ASSIGN(
        const plugin::Replaced made,
        plugin::replace_subgraphs(subject_.model, subject_.plugins, subject_.config, file, stop_, log_, combination));
    std::int64_t replaced = 0;
    for (const plugin::PluginCount& count : made.plugins) replaced += count.replaced;
    if (replaced < static_cast<std::int64_t>(combination.size())) {
      return Trial{.outcome = Trial::Outcome::overlaps,
                   .problem = fmt::format("only {} of {} can be made: they overlap, or a plug-in refuses", replaced,
                                          base::counted(combination.size(), "replacement"))};
    }
    return time(worker::ModelFile{file});
  }

  void report(const Trial& trial) {
    const bool again = !measured_.insert(trial.replacements).second;
    const std::string what = names_of(trial.replacements, subject_.replacements) + (again ? ", once more" : "");
    if (trial.outcome == Trial::Outcome::timed) {
      log_.info("{}: {}, loaded in {:.3g} s", what, text_of(trial.times), trial.load_s);
    } else {
      log_.warning("{}: {}", what, trial.problem);
    }
  }

  const Subject& subject_;
  TimingPlan timing_;
  worker::Pool& pool_;
  const base::Stop& stop_;
  base::Log& log_;
  std::optional<tensor::NamedTensors> inputs_;  // the same for all models
  std::set<Combination> measured_;
};

}  // namespace

base::Expected<std::vector<Replacement>> read_replacements(const model::Model& model,
                                                           const plugin::PluginFolder& plugins,
                                                           const std::filesystem::path& config, const base::Stop& stop,
                                                           base::Log& log) {
  ASSAY_ASSIGN(std::vector<plugin::Instance> instances, plugin::read_instances(model, plugins, config, stop, log));
  std::vector<Replacement> replacements;
  std::map<std::string, int> seen;
  for (plugin::Instance& instance : instances) {
    std::string name = fmt::format("{}_{}", instance.plugin, seen[instance.plugin]++);
    replacements.push_back({std::move(name), std::move(instance)});
  }
  return replacements;
}

base::Status tune_plugins(const Subject& subject, const TuneOptions& options, worker::Pool& pool,
                          const base::Stop& stop, base::Log& log, Findings& found) {
  Tuner tuner(subject, options, pool, stop, log);
  return search(
      subject.replacements.size(), options.search,
      [&](const Combination& combination) { return tuner.measure(combination); }, found);
}

std::string names_of(const Combination& combination, const std::vector<Replacement>& replacements) {
  if (combination.empty()) return "the model as it is";
  std::vector<std::string> names;
  for (const std::size_t number : combination) names.push_back(replacements[number].name);
  return base::join(names, ", ");
}

std::string text_of(const run::TimingSummary& times) {
  return fmt::format("{:.4g} ms (half of the runs from {:.4g} to {:.4g} ms)", times.median * 1e3,
                     times.lower_quartile * 1e3, times.upper_quartile * 1e3);
}

}  // namespace assay::tune
