// To compute tensors, the part of the model that they need is run as a model whose outputs they are. Many tensors are
// computed in windows that fit the memory budget. What happens when an engine fails is in engine_reference_failures.cc.
#include "reduce/values/engine_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "edit/fits.h"
#include "model/inference/tensor_bytes.h"
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
      computed_(options_.folder, options_.memory_budget),
      failed_(subject_, parts_) {}

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

EngineReference::Tensors EngineReference::computable(std::vector<std::string> names) const {
  std::erase_if(names, [&](const std::string& name) {
    const edit::TensorId id = subject_.view().find(name);
    return subject_.view().producer(id) == edit::kNone || subject_.is_constant(id);
  });
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (windows(names).size() > 1) return {};
  Tensors tensors;
  for (const std::string& name : names) tensors.push_back(subject_.view().find(name));
  return tensors;
}

void EngineReference::choose_inputs(const std::vector<std::string>& names) {
  const ModelInputsTask task{.subject = subject_,
                             .facts = facts_,
                             .parts = parts_,
                             .engines = engines_,
                             .given = options_.given,
                             .asked = options_.input_shapes,
                             .same_for_all_sizes = options_.same_for_all_sizes,
                             .check = options_.check,
                             .log = options_.log};
  const ModelInputs chosen = choose_model_inputs(task, computable(names));
  engines_.erase(engines_.begin(), engines_.begin() + static_cast<std::ptrdiff_t>(chosen.unusable_engines));
  engine_is_usable_ = chosen.engine_is_usable;
  set_inputs(chosen.inputs);
  if (engines_.empty()) evaluate_without_engine();
  static_cast<void>(store(chosen.values));  // what can't be stored is computed again when it is needed
}

// If the inputs can't be created, none of them has a value. That isn't tried again for each candidate.
void EngineReference::set_inputs(const base::Expected<tensor::NamedTensors>& given) {
  given_ = given ? *given : tensor::NamedTensors{};
  const std::string why = given ? "" : ": " + sentence(given.error());
  for (edit::TensorId id = 0; id < subject_.view().tensor_count(); ++id) {
    const std::string name(subject_.view().name(id));
    if (!subject_.view().is_graph_input(id) || given_->contains(name)) continue;
    failed_.lack_input(id, fmt::format("there is no value for the input '{}' of the model{}", name, why));
  }
}

// Reports only the first error: if a disk is full, all others are the same.
base::Status EngineReference::store(const tensor::NamedTensors& values) {
  check_declarations(values);
  base::Status stored = computed_.set(values);
  if (!stored && options_.log != nullptr && !std::exchange(told_, true)) {
    options_.log->warning("The values of some tensors can't be stored, so these become inputs: {}",
                          stored.error().message());
  }
  return stored;
}

void EngineReference::check_declarations(const tensor::NamedTensors& values) {
  if (!options_.checks_declarations || options_.log == nullptr) return;
  for (const auto& [name, value] : values) {
    const edit::TensorId id = subject_.view().find(name);
    if (id == edit::kNone || edit::fits(value, facts_.find(id))) continue;
    options_.checks_declarations = false;
    options_.log->warning(
        "The model declares another type or shape for '{}' than a run computes ({}). Candidates declare it in the same "
        "way, and may fail for this reason. --force-fallback-shape-inference takes all shapes from such a run",
        name, value.describe());
    return;
  }
}

base::Status EngineReference::compute(Tensors wanted) {
  while (!wanted.empty()) {
    drop_blocked(wanted);
    if (wanted.empty()) return {};
    const std::vector<edit::NodeId> nodes = parts_.producers(wanted, failed_.replaced());
    ++runs_;
    auto values = parts_.load_and_run(engines_.front(), nodes, wanted, failed_.replaced(), *given_);
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
