// The part of a model that some tensors need is a selection like any other: they are its outputs.
#include "reduce/reference.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "edit/build_candidate.h"
#include "edit/edit.h"
#include "model/save.h"

namespace assay::reduce {

EngineReference::EngineReference(const edit::Subject& subject, const edit::TensorFacts& facts, worker::Pool& pool,
                                 Options options)
    : subject_(subject), facts_(facts), pool_(pool), options_(std::move(options)) {}

base::Expected<tensor::NamedTensors> EngineReference::values(const std::vector<std::string>& names) {
  if (!asked_) {
    ASSAY_ASSIGN(known_, options_.given());
    asked_ = true;
  }
  std::vector<std::string> missing;
  std::ranges::copy_if(names, std::back_inserter(missing),
                       [&](const std::string& name) { return !known_.contains(name); });
  if (!missing.empty()) ASSAY_TRY(compute(missing));
  tensor::NamedTensors result;
  for (const std::string& name : names) result.set(name, *known_.find(name));
  return result;
}

base::Status EngineReference::compute(const std::vector<std::string>& names) {
  const std::string all = base::join(names, ", ");
  if (failed_.contains(all))
    return base::fail(base::ErrorKind::engine, "the engine failed on these tensors before", all);
  failed_.insert(all);  // until it is known to be otherwise

  edit::SetOutputs outputs;
  for (const std::string& name : names) outputs.tensors.push_back(subject_.view().find(name));
  const edit::Selection part = edit::apply(subject_, edit::whole(subject_), outputs);
  const model::Model model = edit::build_candidate(subject_, part, facts_);
  ASSAY_ASSIGN(std::string bytes, model::serialize(model));

  auto session =
      pool_.load(options_.engine, worker::ModelBytes{tensor::Buffer::own(std::move(bytes)), {}}, options_.limits);
  if (!session) return base::fail(worker::to_error(session.error(), options_.engine.kind));
  tensor::NamedTensors feeds;
  for (const worker::Port& port : (*session)->info().inputs) {
    const tensor::Tensor* value = known_.find(port.name);
    if (value == nullptr) {
      return base::fail(base::ErrorKind::not_found, "there is no value for an input of the model", port.name);
    }
    feeds.set(port.name, *value);
  }
  auto run = (*session)->infer(feeds, names, options_.limits);
  if (!run) return base::fail(worker::to_error(run.error(), options_.engine.kind));
  for (const auto& [name, value] : run->outputs) known_.set(name, value);
  for (const std::string& name : names) {
    if (!known_.contains(name)) return base::fail(base::ErrorKind::engine, "the engine gave no value", name);
  }
  failed_.erase(all);
  return {};
}

}  // namespace assay::reduce
