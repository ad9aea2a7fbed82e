#include "run/engine_runner.h"

#include <algorithm>

#include "backend/engine_table.h"
#include "backend/find_setting.h"
#include "data/fit_inputs.h"
#include "run/engine_error.h"
#include "run/log_messages.h"
#include "worker/is_tensor.h"

namespace assay::run {
namespace {

base::Status check_inputs(const worker::SessionInfo& info, const std::string& runner) {
  const auto other = std::ranges::find_if_not(info.inputs, worker::is_tensor);
  if (other == info.inputs.end()) return {};
  return base::fail(base::ErrorKind::unsupported,
                    "input '" + other->name + "' is a " + other->kind + "; only tensors can be fed", runner,
                    "Extract the part of the model after that input: assay surgeon extract");
}

void warn_of_skipped_outputs(const worker::SessionInfo& info, const std::string& runner, base::Log& log) {
  for (const worker::Port& port : info.outputs) {
    if (port.kind == "tensor") continue;
    log.warning("{} | Output '{}' is skipped: only tensors can be compared, and it is of type {}", runner, port.name,
                port.kind);
  }
}

}  // namespace

std::string precision_note(const worker::SessionInfo& info, const worker::EngineSpec& engine) {
  if (info.reduced_precision.empty()) return {};
  const backend::EngineRow* row = backend::find_engine_row(engine.kind);
  const std::string words = row == nullptr ? std::string() : backend::option_words(*row, row->full_precision);
  const std::string note =
      "The engine computes float32 nodes in " + info.reduced_precision + ", so its results are less exact";
  return words.empty() ? note : note + "; " + words + " computes in float32";
}

EngineRunner::EngineRunner(EngineSetup setup, const worker::ModelSource& model, worker::Pool& pool)
    : EngineRunner(std::move(setup), std::shared_ptr<const worker::ModelSource>(std::shared_ptr<void>(), &model),
                   pool) {}
EngineRunner::EngineRunner(EngineSetup setup, std::shared_ptr<const worker::ModelSource> model, worker::Pool& pool)
    : setup_(std::move(setup)), model_(std::move(model)), pool_(pool) {}

base::Status EngineRunner::activate(base::Log& log) {
  auto session = pool_.load(setup_.spec, *model_, setup_.limits);
  if (!session) return base::fail(engine_error(session.error(), setup_.engine, worker::Phase::load));
  session_ = std::move(*session);
  const worker::SessionInfo& info = session_->info();
  log.verbose("{} | {} {} | Loaded in {:.3f} ms", setup_.runner, setup_.engine, info.engine_version, info.load_s * 1e3);
  log_messages(info.messages, setup_.runner + " | " + setup_.engine, log);
  if (const std::string note = precision_note(info, setup_.spec); !note.empty())
    log.warning("{} | {}", setup_.runner, note);
  for (const worker::Port& port : info.inputs) inputs_.push_back({port.name, port.type, port.shape});
  ASSAY_TRY(check_inputs(info, setup_.runner));
  warn_of_skipped_outputs(info, setup_.runner, log);
  wanted_ = worker::tensor_outputs(info);
  return {};
}

base::Expected<std::optional<data::IterationResult>> EngineRunner::run(std::int64_t, const tensor::NamedTensors& feeds,
                                                                       base::Log& log) {
  ASSAY_ASSIGN(const tensor::NamedTensors fitted, data::fit_inputs(feeds, inputs_, log));
  auto result = session_->infer(fitted, wanted_, setup_.limits);
  if (!result) return base::fail(engine_error(result.error(), setup_.engine, worker::Phase::run));
  log_messages(result->messages, setup_.runner + " | " + setup_.engine, log);
  if (wanted_.empty()) result->outputs = {};  // tensors of optionals, which are skipped
  if (returns_declared_types(setup_.spec)) {
    ASSAY_TRY(types_.convert(result->outputs, session_->info().outputs, setup_.runner, log));
  }
  return data::IterationResult{std::move(result->outputs), result->runtime_s, setup_.runner};
}

}  // namespace assay::run
