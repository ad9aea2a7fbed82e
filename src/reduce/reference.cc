// The part of a model that some tensors need is a selection like any other: they are its outputs.
#include "reduce/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "edit/build_candidate.h"
#include "edit/edit.h"
#include "edit/node_places.h"
#include "model/reference_weights.h"

namespace assay::reduce {
namespace {

// Absent where a size is not known.
std::optional<std::uint64_t> bytes_of(const onnx::ValueInfoProto& info) {
  const onnx::TypeProto::Tensor& type = info.type().tensor_type();
  if (!type.has_shape()) return std::nullopt;
  tensor::Shape shape;
  for (const auto& dimension : type.shape().dim()) {
    if (!dimension.has_dim_value() || dimension.dim_value() < 0) return std::nullopt;
    shape.push_back(dimension.dim_value());
  }
  return tensor::declared_bytes(static_cast<tensor::ElementType>(type.elem_type()), shape);
}

}  // namespace

EngineReference::EngineReference(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool,
                                 Options options)
    : subject_(subject),
      facts_(facts),
      pool_(pool),
      options_(std::move(options)),
      computed_(options_.folder, options_.memory_budget) {}

base::Expected<tensor::NamedTensors> EngineReference::values(const std::vector<std::string>& names) {
  if (!given_) {
    ASSAY_ASSIGN(given_, options_.given());
  }
  std::vector<std::string> missing;
  std::ranges::copy_if(names, std::back_inserter(missing),
                       [&](const std::string& name) { return find(name) == nullptr; });
  for (const std::vector<std::string>& window : windows(missing)) ASSAY_TRY(compute(window));
  tensor::NamedTensors result;
  for (const std::string& name : names) result.set(name, *find(name));
  return result;
}

const tensor::Tensor* EngineReference::find(const std::string& name) const {
  const tensor::Tensor* given = given_->find(name);
  return given != nullptr ? given : computed_.find(name);
}

std::vector<std::vector<std::string>> EngineReference::windows(const std::vector<std::string>& names) const {
  std::vector<std::vector<std::string>> windows;
  std::uint64_t bytes = 0;
  for (const std::string& name : names) {
    const onnx::ValueInfoProto* info = facts_.find_static(subject_.view().find(name));
    const std::uint64_t size = info != nullptr ? bytes_of(*info).value_or(0) : 0;
    if (windows.empty() || bytes + size > options_.memory_budget) {
      windows.emplace_back();
      bytes = 0;
    }
    windows.back().push_back(name);
    bytes += size;
  }
  return windows;
}

base::Status EngineReference::compute(const std::vector<std::string>& names) {
  const base::Status computed = run_part(names);
  if (computed) return {};
  if (names.size() == 1) {
    const edit::NodeId maker = subject_.view().producer(subject_.view().find(names.front()));
    if (maker != edit::kNone) broken_.insert(maker);
    return computed;
  }
  const auto half = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
  ASSAY_TRY(compute({names.begin(), half}));
  return compute({half, names.end()});
}

base::Status EngineReference::run_part(const std::vector<std::string>& names) {
  if (failed_runs_ >= kFailedRuns) {
    return base::fail(base::ErrorKind::engine, fmt::format("the engine has failed {} times", failed_runs_));
  }
  edit::SetOutputs outputs;
  for (const std::string& name : names) outputs.tensors.push_back(subject_.view().find(name));
  const edit::Selection part = edit::apply(subject_, edit::whole(subject_), outputs);
  for (const edit::NodeId id : part.nodes) {
    if (!broken_.contains(id)) continue;
    return base::fail(base::ErrorKind::engine, "the engine has failed on a node that these values need",
                      edit::describe(subject_.view().node(id)));
  }
  for (const edit::TensorId input : edit::boundary(subject_, part)) {
    const std::string name(subject_.view().name(input));
    if (find(name) != nullptr) continue;
    return base::fail(base::ErrorKind::not_found, "there is no value for an input of the model", name);
  }
  const base::Status ran = run(edit::build_candidate(subject_, part, facts_), names);
  failed_runs_ += ran ? 0 : 1;
  return ran;
}

base::Status EngineReference::run(const model::Model& model, const std::vector<std::string>& names) {
  ASSAY_ASSIGN(model::ReferencedModel referenced, model::serialize_by_reference(model));
  auto session = pool_.load(
      options_.engine,
      worker::ModelBytes{tensor::Buffer::own(std::move(referenced.bytes)), std::move(referenced.external_data_dir)},
      options_.limits);
  if (!session) return base::fail(worker::to_error(session.error(), options_.engine.kind));
  tensor::NamedTensors feeds;
  for (const worker::Port& port : (*session)->info().inputs) {
    if (const tensor::Tensor* value = find(port.name)) feeds.set(port.name, *value);
  }
  auto run = (*session)->infer(feeds, names, options_.limits);
  if (!run) return base::fail(worker::to_error(run.error(), options_.engine.kind));
  ASSAY_TRY(computed_.set(run->outputs));
  for (const std::string& name : names) {
    if (find(name) == nullptr) return base::fail(base::ErrorKind::engine, "the engine gave no value", name);
  }
  return {};
}

}  // namespace assay::reduce
