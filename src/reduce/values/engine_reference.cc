// To compute tensors, the part of the model that they need is run as a model whose outputs they are. Many tensors are
// computed in windows that fit the memory budget. What happens when an engine fails is in engine_reference_failures.cc.
#include "reduce/values/engine_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "model/inference/tensor_bytes.h"
#include "reduce/values/choose_inputs.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {
namespace {

constexpr double kMostSeconds = 300;
constexpr double kLeastSeconds = 6;

// Returns the error without what to do, as MissingValues takes it.
std::string sentence(base::Error error) {
  error.fix.clear();
  return error.message();
}

}  // namespace

worker::Limits reference_limits(const worker::Limits& of_check) {
  worker::Limits limits;
  limits.time_s = std::clamp(2 * of_check.time_s.value_or(kMostSeconds), kLeastSeconds, kMostSeconds);
  if (of_check.memory_bytes) limits.memory_bytes = 2 * *of_check.memory_bytes;
  return limits;
}

EngineReference::EngineReference(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool,
                                 Options options)
    : subject_(subject),
      facts_(facts),
      options_(std::move(options)),
      parts_(subject, facts, pool, options_.limits),
      engines_(options_.engines),
      computed_(options_.folder, options_.memory_budget) {}

tensor::NamedTensors EngineReference::available(const std::vector<std::string>& names) {
  tensor::NamedTensors result;
  if (!look_up(names)) return result;  // interrupted
  for (const std::string& name : names) {
    if (const tensor::Tensor* value = find(name)) result.set(name, *value);
  }
  return result;
}

const tensor::Tensor* EngineReference::find(const std::string& name) const {
  const tensor::Tensor* given = given_ ? given_->find(name) : nullptr;
  return given != nullptr ? given : computed_.find(name);
}

std::vector<std::string> EngineReference::unknown(const std::vector<std::string>& names) const {
  std::vector<std::string> result;
  std::ranges::copy_if(names, std::back_inserter(result), [&](const std::string& name) {
    const edit::TensorId id = subject_.view().find(name);
    return id != edit::kNone && find(name) == nullptr && !missing_.contains(id);
  });
  return result;
}

base::Status EngineReference::look_up(const std::vector<std::string>& names) {
  if (!given_) choose_inputs(names);
  for (const std::vector<std::string>& window : windows(unknown(names))) {
    Tensors wanted;
    for (const std::string& name : window) wanted.push_back(subject_.view().find(name));
    ASSAY_TRY(compute(std::move(wanted)));
  }
  return {};
}

std::vector<std::vector<std::string>> EngineReference::windows(const std::vector<std::string>& names) const {
  std::vector<std::vector<std::string>> windows;
  std::uint64_t bytes = 0;
  for (const std::string& name : names) {
    const onnx::ValueInfoProto* info = facts_.find(subject_.view().find(name));
    const std::uint64_t size = info != nullptr ? model::static_bytes(*info).value_or(0) : 0;
    if (windows.empty() || bytes + size > options_.memory_budget) {
      windows.emplace_back();
      bytes = 0;
    }
    windows.back().push_back(name);
    bytes += size;
  }
  return windows;
}

base::Expected<tensor::NamedTensors> EngineReference::make_inputs(const InputChoice& choice) const {
  if (options_.same_for_all_sizes) return options_.given({});
  if (choice.values == InputChoice::Values::as_asked) return options_.given(choice.shapes);
  return choose_values(subject_.model().graph(), options_.input_shapes, choice);
}

// Returns what the engine should compute: preferably everything, otherwise the settings, which are what is frozen.
std::vector<EngineReference::Tensors> EngineReference::goals() const {
  std::set<edit::TensorId> settings;
  for (const edit::NodeId node : subject_.nodes()) {
    for (const edit::TensorId id : subject_.view().outputs(node)) {
      if (subject_.view().producer(id) == node && holds_settings(facts_.find(id))) settings.insert(id);
    }
  }
  std::set<edit::TensorId> all = settings;
  for (const onnx::ValueInfoProto& output : subject_.model().graph().output()) {
    const edit::TensorId id = subject_.view().find(output.name());
    const onnx::ValueInfoProto* known = facts_.find(id);
    const bool is_tensor = known != nullptr && known->type().has_tensor_type();
    if (is_tensor && subject_.view().producer(id) != edit::kNone && !subject_.is_constant(id)) all.insert(id);
  }
  return {{all.begin(), all.end()}, {settings.begin(), settings.end()}};
}

void EngineReference::choose_inputs(const std::vector<std::string>& names) {
  const onnx::GraphProto& graph = subject_.model().graph();
  std::vector<InputChoice> choices =
      options_.same_for_all_sizes ? std::vector<InputChoice>(1) : input_choices(graph, options_.input_shapes);
  if (choices.size() == 1 || engines_.empty()) {
    set_inputs(make_inputs(choices.front()));
    if (engines_.empty()) evaluate_without_engine();
    return;
  }
  std::vector<std::string> unique(names);
  std::ranges::sort(unique);
  unique.erase(std::ranges::unique(unique).begin(), unique.end());
  Tensors now;
  for (const std::string& name : windows(unique).size() == 1 ? unique : std::vector<std::string>{}) {
    const edit::TensorId id = subject_.view().find(name);
    if (id != edit::kNone && subject_.view().producer(id) != edit::kNone && !subject_.is_constant(id))
      now.push_back(id);
  }
  take_inputs(choices, now);
}

void EngineReference::take_inputs(const std::vector<InputChoice>& choices, const Tensors& now) {
  std::optional<std::pair<std::size_t, tensor::NamedTensors>> made;  // the inputs of the last choice
  ChosenInputs chosen;
  while (!engines_.empty()) {
    const InputSearch search{.parts = parts_,
                             .engine = engines_.front(),
                             .choices = choices.size(),
                             .inputs = [&](std::size_t choice) -> const tensor::NamedTensors* {
                               if (made && made->first == choice) return &made->second;
                               auto inputs = make_inputs(choices[choice]);
                               if (!inputs) return nullptr;
                               return &made.emplace(choice, *std::move(inputs)).second;
                             }};
    chosen = reduce::choose_inputs(search, goals(), now);
    engine_is_usable_ = !chosen.values.empty() || parts_.is_usable(engines_.front());
    if (engine_is_usable_) break;
    engines_.erase(engines_.begin());
  }
  set_inputs(make_inputs(choices[chosen.choice]));
  if (engines_.empty()) evaluate_without_engine();
  if (chosen.choice > 0 && options_.log != nullptr) {
    options_.log->verbose(
        "The engine that computes values fails if dynamic dimensions are 1, so it gets {}. --model-input-shapes sets "
        "others.",
        describe(choices[chosen.choice].shapes));
  }
  std::set<edit::TensorId> wanted(now.begin(), now.end());
  const std::vector<Tensors> kept = goals();
  wanted.insert(kept.back().begin(), kept.back().end());
  tensor::NamedTensors values;
  for (const auto& [name, value] : chosen.values) {
    if (wanted.contains(subject_.view().find(name))) values.set(name, value);
  }
  static_cast<void>(store(values));  // what can't be stored is computed again when it is needed
}

// If the inputs can't be created, none of them has a value. That isn't tried again for each candidate.
void EngineReference::set_inputs(const base::Expected<tensor::NamedTensors>& given) {
  given_ = given ? *given : tensor::NamedTensors{};
  const std::string why = given ? "" : ": " + sentence(given.error());
  for (edit::TensorId id = 0; id < subject_.view().tensor_count(); ++id) {
    const std::string name(subject_.view().name(id));
    if (!subject_.view().is_graph_input(id) || given_->contains(name)) continue;
    no_input_.emplace(id, fmt::format("there is no value for the input '{}' of the model{}", name, why));
  }
}

// Reports only the first error: if a disk is full, all others are the same.
base::Status EngineReference::store(const tensor::NamedTensors& values) {
  base::Status stored = computed_.set(values);
  if (!stored && options_.log != nullptr && !std::exchange(told_, true)) {
    options_.log->warning("The values of some tensors can't be stored, so these become inputs: {}",
                          stored.error().message());
  }
  return stored;
}

base::Status EngineReference::compute(Tensors wanted) {
  while (!wanted.empty()) {
    drop_blocked(wanted);
    if (wanted.empty()) return {};
    const std::vector<edit::NodeId> nodes = parts_.producers(wanted, computed_elsewhere_);
    ++runs_;
    auto values = parts_.load_and_run(engines_.front(), nodes, wanted, computed_elsewhere_, *given_);
    if (values) {
      const base::Status stored = store(*values);
      for (const edit::TensorId id : wanted) {
        if (find(std::string(subject_.view().name(id))) != nullptr) continue;
        miss(id, stored ? "the engine returned no tensor" : sentence(stored.error()));
      }
      return {};
    }
    if (std::holds_alternative<worker::Stopped>(values.error())) {
      return base::fail(worker::to_error(values.error(), engines_.front().kind));
    }
    look_into(wanted, std::move(values).error());
  }
  return {};
}

void EngineReference::miss(edit::TensorId id, std::string why) {
  const bool would_be_frozen = options_.same_for_all_sizes || holds_settings(facts_.find(id));
  if (options_.missing && would_be_frozen) options_.missing->add(std::string(subject_.view().name(id)), std::move(why));
  missing_.insert(id);
}

}  // namespace assay::reduce
