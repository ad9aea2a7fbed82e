// Two phases: first the outputs move up, then the inputs down, each as a search over the nodes in the order of the
// file.
//
// The whole model is judged only where no candidate failed: a failing part of it says more, for the same price. Then
// the reasons why nothing failed are gone through: the failure needs the whole; it needs Constant nodes to be nodes; it
// lies in how the file is written; it is not there.
#include "reduce/reduce_model.h"

#include <chrono>
#include <memory>
#include <utility>

#include "edit/build_candidate.h"
#include "edit/edit.h"
#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "reduce/verdicts/count_nodes.h"

namespace assay::reduce {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A copy of the file alone would lack it.
bool has_external_data(const model::Model& model) {
  bool found = false;
  model::visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, model::TensorRole) {
    found |= model::is_external(tensor) && !model::was_inline(tensor);
  });
  return found;
}

// One pass over the model, with Constant nodes as values or as nodes.
class Attempt {
 public:
  Attempt(const model::Model& model, edit::Subject::Constants constants, const ReduceOptions& options,
          const ReduceParts& parts, TrialCounts& counts)
      : options_(options),
        log_(parts.log),
        subject_(model, constants),
        facts_(subject_),
        reference_(parts.reference ? parts.reference(subject_, facts_) : nullptr),
        supply_(subject_, facts_, reference_.get(), options.side_values, parts.log),
        trials_({subject_, constants, facts_, supply_, parts.oracle, parts.log, parts.stop, counts}) {}

  void learn_shapes() {
    if (options_.infer_shapes) {
      if (const base::Status inferred = facts_.infer(); !inferred) {
        log_.warning("Shape inference failed: {}. Going on with the shapes that the model declares.",
                     inferred.error().message());
      }
    }
    if (options_.see_all_shapes) supply_.see_all();
  }

  base::Status run() {
    edit::Selection start = edit::whole(subject_);
    start = edit::apply(subject_, start, edit::SetOutputs{start.outputs});  // what no output needs is not searched
    if (options_.outputs) {
      ASSAY_ASSIGN(std::optional<edit::Selection> found, reduce_outputs(start));
      if (found) start = *std::move(found);
    }
    if (options_.inputs) ASSAY_TRY(reduce_inputs(start));
    return {};
  }

  base::Expected<bool> whole_fails() {
    trials_.begin("original", 1, subject_.nodes().size() + 1);
    return trials_.fails(edit::whole(subject_), {});
  }

  [[nodiscard]] const edit::Subject& subject() const { return subject_; }
  [[nodiscard]] const Trials& trials() const { return trials_; }
  [[nodiscard]] model::Model build(const edit::Selection& selection) const {
    return edit::build_candidate(subject_, selection, facts_);
  }

 private:
  // The phase's smallest failing candidate, where there is one.
  base::Expected<std::optional<edit::Selection>> reduce_outputs(const edit::Selection& start) {
    std::optional<edit::Selection> found;
    begin("outputs", start);
    ASSAY_TRY(search(options_.mode, static_cast<int>(start.nodes.size()), Toward::first, [&](int position) {
      const edit::NodeId node = start.nodes[static_cast<std::size_t>(position)];
      const auto outputs = subject_.view().outputs(node);
      return try_edit(start, edit::SetOutputs{{outputs.begin(), outputs.end()}}, {}, found);
    }));
    return found;
  }

  base::Status reduce_inputs(const edit::Selection& start) {
    std::optional<edit::Selection> found;
    std::vector<edit::TensorId> cut_of_found;
    begin("inputs", start);
    ASSAY_TRY(search(options_.mode, static_cast<int>(start.nodes.size()), Toward::last, [&](int position) {
      edit::CutInputs cut;
      for (const edit::TensorId id : subject_.view().inputs(start.nodes[static_cast<std::size_t>(position)])) {
        if (!subject_.is_constant(id)) cut.tensors.push_back(id);
      }
      auto failed = try_edit(start, cut, cut.tensors, found);
      if (failed.value_or(false)) cut_of_found = cut.tensors;
      return failed;
    }));
    return found ? drop_side_inputs(*found, cut_of_found) : base::Status{};
  }

  // Where the outputs stay, other branches often come in beside the one that was cut, as further inputs. One check says
  // whether the failure needs them to be inputs.
  base::Status drop_side_inputs(const edit::Selection& selection, const std::vector<edit::TensorId>& cut) {
    if (options_.outputs || options_.side_values == SideValues::input) return {};
    constexpr bool kFreezeSides = true;
    ASSAY_TRY(trials_.fails(selection, cut, kFreezeSides));
    return {};
  }

  void begin(std::string phase, const edit::Selection& start) {
    const int count = static_cast<int>(start.nodes.size());
    trials_.begin(std::move(phase), options_.mode == Mode::bisect ? bisect_steps(count) : count, start.nodes.size());
  }

  base::Expected<bool> try_edit(const edit::Selection& start, const edit::Edit& edit,
                                const std::vector<edit::TensorId>& cut, std::optional<edit::Selection>& found) {
    edit::Selection selection = edit::apply(subject_, start, edit);
    ASSAY_ASSIGN(const bool failed, trials_.fails(selection, cut));
    if (failed) found = std::move(selection);
    return failed;
  }

  const ReduceOptions& options_;
  base::Log& log_;
  edit::Subject subject_;
  edit::TensorFacts facts_;
  std::unique_ptr<Reference> reference_;
  BoundarySupply supply_;
  Trials trials_;
};

class Reducer {
 public:
  Reducer(const model::Model& model, const ReduceOptions& options, const ReduceParts& parts)
      : model_(model), options_(options), parts_(parts) {}

  base::Expected<Reduction> run() && {
    const Clock::time_point start = Clock::now();
    const base::Status status = find();
    if (!status && !has_result()) return base::fail(status.error());
    result_.complete = status.has_value();
    if (!status && status.error().kind != base::ErrorKind::interrupted) result_.error = status.error();
    finish();
    result_.seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool has_result() const {
    return result_.verbatim || (attempt_ != nullptr && attempt_->trials().smallest_failing() != nullptr);
  }

  base::Status find() {
    begin(edit::Subject::Constants::as_values);
    ASSAY_TRY(attempt_->run());
    if (has_result()) return {};
    ASSAY_ASSIGN(bool failed, attempt_->whole_fails());
    if (failed || !attempt_->subject().has_constant_nodes()) return failed ? base::Status{} : try_verbatim();

    parts_.log.info("The failure is gone when Constant nodes are written as initializers: they are kept as nodes now");
    begin(edit::Subject::Constants::as_nodes);
    ASSAY_ASSIGN(failed, attempt_->whole_fails());
    return failed ? attempt_->run() : try_verbatim();
  }

  void begin(edit::Subject::Constants constants) {
    constants_ = constants;
    result_.nodes_before = count_all_nodes(model_, constants);
    attempt_ = std::make_unique<Attempt>(model_, constants, options_, parts_, result_.counts);
    attempt_->learn_shapes();
  }

  base::Status try_verbatim() {
    const base::Status no_failure =
        base::fail(base::ErrorKind::invalid_input, "the model does not fail the check", model_.path.string(),
                   "Run the check on it by hand, and see what it says");
    if (model_.path.empty() || has_external_data(model_)) return no_failure;
    Candidate original{.model = model_, .nodes = model_.graph().node_size(), .iteration = {}, .verbatim = {}};
    original.iteration.phase = "original";
    original.iteration.number = 1;
    original.verbatim = model_.path;
    ASSAY_ASSIGN(const Verdict verdict, parts_.oracle(original));
    ++result_.counts.checks;
    result_.counts.check_seconds += verdict.seconds;
    if (verdict.kind != Verdict::Kind::fails) return no_failure;
    ++result_.counts.failing;
    parts_.log.warning(
        "The file fails, but not once it is written anew: the failure lies in what writing changes (unused "
        "parts, how values are stored). The result is the file as it is.");
    result_.verbatim = true;
    return {};
  }

  void finish() {
    if (result_.verbatim) {
      result_.model = model_;
      result_.nodes_after = result_.nodes_before;
      return;
    }
    const Trials::Judged& best = *attempt_->trials().smallest_failing();
    result_.model = best.model;
    result_.nodes_after = count_all_nodes(best.model, constants_);
    if (const auto passing = attempt_->trials().nearest_passing()) result_.passing = attempt_->build(*passing);
  }

  const model::Model& model_;
  const ReduceOptions& options_;
  const ReduceParts& parts_;
  Reduction result_;
  Constants constants_ = Constants::as_values;
  std::unique_ptr<Attempt> attempt_;
};

}  // namespace

base::Expected<Reduction> reduce_model(const model::Model& model, const ReduceOptions& options,
                                       const ReduceParts& parts) {
  return Reducer(model, options, parts).run();
}

}  // namespace assay::reduce
