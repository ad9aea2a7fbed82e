#include "locate/sides/pair.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/seconds.h"
#include "locate/sides/judge.h"
#include "run/ask_network.h"
#include "run/tensorrt_settings.h"
#include "worker/models/model_source.h"

namespace assay::locate {
namespace {

base::Expected<std::unique_ptr<worker::Session>> load(const run::EngineSetup& engine, const Part& part,
                                                      worker::Pool& pool) {
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(part.model));
  const bool may_lack_inputs = part.is_piece && run::is_tensorrt(engine.spec);
  const run::EngineSetup setup = may_lack_inputs ? run::with_optional_profiles(engine) : engine;
  auto session = pool.load(setup.spec, source, engine.limits);
  if (!session) return base::fail(worker::to_error(session.error(), engine.runner));
  return std::move(*session);
}

std::vector<tensor::TensorSpec> ports_of(const worker::Session& session) {
  std::vector<tensor::TensorSpec> ports;
  for (const worker::Port& port : session.info().inputs) ports.push_back({port.name, port.type, port.shape});
  return ports;
}

// Adds the time until the object goes out of scope.
class AddSeconds {
 public:
  explicit AddSeconds(double& seconds) : seconds_(seconds) {}
  ~AddSeconds() { seconds_ += base::seconds_since(begin_); }
  AddSeconds(const AddSeconds&) = delete;
  AddSeconds& operator=(const AddSeconds&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Warns once of an engine that computes in a lower precision than float32, when the first model is loaded.
void note_precision(const worker::Session& session, const run::EngineSetup& engine, const Ledger& ledger,
                    base::Log* log) {
  const std::string note = run::precision_note(session.info(), engine.spec);
  if (ledger.opened == 1 && log != nullptr && !note.empty()) log->warning("{} | {}", engine.runner, note);
}

}  // namespace

bool any_differs(const tensor::NamedTensors& first, const tensor::NamedTensors& second,
                 const compare::ComparePlan& plan) {
  return std::ranges::any_of(first, [&](const auto& item) {
    const tensor::Tensor* other = second.find(item.first);
    return other != nullptr && judge(item.first, item.second, *other, plan).differs;
  });
}

Pair::Pair(std::vector<run::EngineSetup> engines, std::optional<Golden> golden, worker::Pool& pool,
           const base::Stop& stop, Ledger& ledger, base::Log* log)
    : engines_(std::move(engines)),
      golden_(std::move(golden)),
      pool_(pool),
      stop_(stop),
      ledger_(ledger),
      log_(log == nullptr ? &silent_ : log) {}

const std::string& Pair::second_name() const {
  if (golden_) return golden_->name();
  return engines_.back().runner;
}

void Pair::compare_with_itself(std::size_t engine, int times, const compare::ComparePlan& plan) {
  engines_ = {engines_.at(engine)};
  golden_.reset();
  repetition_ = {.times = times, .plan = &plan};
}

base::Expected<OpenPair> Pair::open(const Question& question) {
  if (stop_.requested()) return base::fail(base::ErrorKind::interrupted, "stopped");
  OpenPair open(*this);
  ++ledger_.opened;
  const AddSeconds clock(ledger_.open_seconds);
  if (!has_two_engines()) {
    ASSAY_ASSIGN(open.first_, load(engines_[0], question.first.part, pool_));
    ++ledger_.sessions;
    note_precision(*open.first_, engines_[0], ledger_, log_);
    return open;
  }
  auto other = std::async(std::launch::async, [&] { return load(engines_[1], question.second->part, pool_); });
  auto one = load(engines_[0], question.first.part, pool_);
  auto two = other.get();
  if (!one) return tl::make_unexpected(std::move(one).error());
  if (!two) return tl::make_unexpected(std::move(two).error());
  open.first_ = std::move(*one);
  open.second_ = std::move(*two);
  ledger_.sessions += 2;
  note_precision(*open.first_, engines_[0], ledger_, log_);
  note_precision(*open.second_, engines_[1], ledger_, log_);
  return open;
}

base::Expected<Answers> Pair::run(const Question& question) {
  auto open = this->open(question);
  if (!open) {
    ++ledger_.runs;  // an attempt costs as much as a run
    return tl::make_unexpected(std::move(open).error());
  }
  return open->run(question);
}

std::vector<tensor::TensorSpec> OpenPair::first_ports() const {
  return ports_of(*first_);
}

std::vector<tensor::TensorSpec> OpenPair::second_ports() const {
  return second_ == nullptr ? std::vector<tensor::TensorSpec>{} : ports_of(*second_);
}

base::Expected<tensor::NamedTensors> OpenPair::infer(worker::Session& session, const run::EngineSetup& engine,
                                                     const FedPart& fed, const std::vector<std::string>& names) const {
  if (pair_.stop_.requested()) return base::fail(base::ErrorKind::interrupted, "stopped");
  const AddSeconds clock(pair_.ledger_.run_seconds);
  auto result = session.infer(fed.feeds, fed.part.outputs, engine.limits);
  if (!result) return base::fail(worker::to_error(result.error(), engine.runner));
  if (run::returns_declared_types(engine.spec)) {
    ASSAY_TRY(pair_.types_.convert(result->outputs, session.info().outputs, engine.runner, *pair_.log_));
  }
  tensor::NamedTensors answers;
  for (std::size_t i = 0; i < fed.part.outputs.size(); ++i) {
    const tensor::Tensor* value = result->outputs.find(fed.part.outputs[i]);
    if (value == nullptr)
      return base::fail(base::ErrorKind::engine, "the engine returned no '" + names[i] + "'", engine.runner);
    answers.set(names[i], *value);
  }
  return answers;
}

base::Expected<Answers> OpenPair::run(const Question& question) {
  if (pair_.repetition_) return run_repeatedly(question);
  ++pair_.ledger_.runs;
  Answers answers;
  ASSAY_ASSIGN(answers.first, infer(*first_, pair_.engines_[0], question.first, question.names));
  if (second_ != nullptr) {
    ASSAY_ASSIGN(answers.second, infer(*second_, pair_.engines_[1], *question.second, question.names));
    return answers;
  }
  if (pair_.golden_) {
    ASSAY_ASSIGN(answers.second, pair_.golden_->read(question.names));
  }
  return answers;
}

// Two inferences count as one run, rounded up.
base::Expected<Answers> OpenPair::run_repeatedly(const Question& question) {
  int inferences = 0;
  auto answers = infer_until_different(question, inferences);
  pair_.ledger_.runs += (inferences + 1) / 2;
  return answers;
}

base::Expected<Answers> OpenPair::infer_until_different(const Question& question, int& inferences) const {
  const Pair::Repetition& repetition = *pair_.repetition_;
  Answers answers;
  while (inferences < repetition.times) {
    ++inferences;
    ASSAY_ASSIGN(tensor::NamedTensors values, infer(*first_, pair_.engines_[0], question.first, question.names));
    (inferences == 1 ? answers.first : answers.second) = std::move(values);
    if (inferences > 1 && any_differs(answers.first, answers.second, *repetition.plan)) break;
  }
  return answers;
}

}  // namespace assay::locate
