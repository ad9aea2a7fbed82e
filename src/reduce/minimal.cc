// Stages: the nodes of the graph are searched; what is left is opened where bodies hide the culprit, and searched
// again; then passes simplify it, until a round of them finds nothing.
//
// Each stage indexes the model that the one before it left (Subject), so that all its candidates are selections and
// cost what they hold.
#include "reduce/minimal.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "edit/build_candidate.h"
#include "edit/known_values.h"
#include "edit/node_places.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/body_model.h"
#include "reduce/candidates/uncalled_functions.h"
#include "reduce/judge/repeat_judge.h"
#include "reduce/passes/pass.h"
#include "reduce/search/bypass_search.h"
#include "reduce/search/change_search.h"
#include "reduce/search/last_look.h"
#include "reduce/search/loop_search.h"
#include "reduce/search/node_search.h"
#include "reduce/search/once_more.h"
#include "reduce/search/phases/phase.h"
#include "reduce/search/removals.h"
#include "reduce/search/repeated_runs.h"
#include "reduce/search/simplify_search.h"
#include "reduce/search/stage.h"
#include "reduce/search/try_model.h"
#include "reduce/values/layered_reference.h"
#include "reduce/verdicts/count_nodes.h"

namespace assay::reduce {
namespace {

using Clock = std::chrono::steady_clock;
using SharedModel = std::shared_ptr<const model::Model>;

constexpr std::size_t kScoutedSlots = 6;        // with fewer, halving tells as much as scouts do
constexpr int kLastLooks = 4;                   // searches that an intermittent failure may begin anew
constexpr std::string_view kTakeOut = "nodes";  // the phase that works on what the others have found

// Names of nodes by which they are found again in another graph: type, and first tensor that they make.
using NodeHandles = std::set<std::pair<std::string, std::string>>;

NodeHandles handles_of(const onnx::GraphProto& graph) {
  NodeHandles handles;
  for (const onnx::NodeProto& node : graph.node()) handles.emplace(node.op_type(), edit::name_of(node));
  return handles;
}

Nodes nodes_of(const edit::Subject& subject, const NodeHandles& handles) {
  Nodes nodes;
  for (const edit::NodeId id : subject.nodes()) {
    const onnx::NodeProto& node = subject.view().node(id);
    if (handles.contains({node.op_type(), edit::name_of(node)})) nodes.push_back(id);
  }
  return nodes;
}

class Minimizer {
 public:
  Minimizer(const model::Model& model, const MinimalOptions& options, const MinimalParts& parts)
      : model_(model),
        options_(options),
        parts_(parts),
        explorer_({.judges = parts.judges,
                   .journal = parts.journal,
                   .iterations = parts.iterations,
                   .log = parts.log,
                   .stop = parts.stop,
                   .counts = result_.counts,
                   .classify = parts.classify,
                   .rule = options.rule,
                   .limits = options.limits}),
        runs_(explorer_, parts.log, options.rule, [this](Strategy& search) {
          return explorer_.run(search, build_model, stages_++).map([](ExploreEnd) {});
        }) {}

  base::Expected<MinimalReduction> run() && {
    const Clock::time_point start = Clock::now();
    const base::Status status = reduce();
    if (!status && !has_result()) return base::fail(status.error());
    if (!status) {
      result_.end = MinimalReduction::End::stopped;
      if (status.error().kind != base::ErrorKind::interrupted) result_.error = status.error();
    }
    finish();
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool has_result() const { return result_.verbatim || explorer_.best().model != nullptr; }
  [[nodiscard]] bool ended() const { return end_ != ExploreEnd::finished; }

  base::Status reduce() {
    count_constants(edit::Subject::Constants::as_values);
    ASSAY_TRY(search_original());
    if (result_.verbatim) return {};
    ASSAY_TRY(open_bodies());
    ASSAY_TRY(search_bodies());
    ASSAY_TRY(simplify());
    return confirm();
  }

  void count_constants(edit::Subject::Constants constants) {
    explorer_.count_constants(constants);
    result_.nodes_before = count_all_nodes(model_, constants);
  }

  // The reasons why nothing fails are gone through: the failure comes and goes; it needs Constant nodes to be nodes, or
  // inputs that nobody reads; it lies in how the file is written; it is not there.
  base::Status search_original() {
    const SharedModel original(SharedModel(), &model_);  // owns nothing: the model outlives the search
    ASSAY_ASSIGN(bool fails, search_nodes(original, edit::Subject::Constants::as_values));
    if (!fails) {
      ASSAY_ASSIGN(const bool is_intermittent, runs_.detect(whole_));
      if (is_intermittent) {
        ASSAY_ASSIGN(fails, search_nodes(original, edit::Subject::Constants::as_values));
      }
    }
    if (!fails && has_constants_) {
      parts_.log.info(
          "The failure is gone when Constant nodes are written as initializers: they are kept as nodes now");
      count_constants(edit::Subject::Constants::as_nodes);
      ASSAY_ASSIGN(fails, search_nodes(original, edit::Subject::Constants::as_nodes));
      if (!fails) count_constants(edit::Subject::Constants::as_values);
    }
    if (!fails && has_unread_inputs()) {
      parts_.log.info("The failure is gone when inputs that nobody reads are left out: they stay for now");
      unread_inputs_ = true;
      ASSAY_ASSIGN(fails, search_nodes(original, edit::Subject::Constants::as_values));
    }
    return fails ? base::Status{} : try_verbatim();
  }

  [[nodiscard]] bool has_unread_inputs() const {
    const model::GraphView view(model_.graph());
    return std::ranges::any_of(model_.graph().input(), [&](const onnx::ValueInfoProto& input) {
      return edit::is_unread_input(view, view.find(input.name()));
    });
  }

  [[nodiscard]] Stage::Options stage_options(const MakeReference& reference) const {
    return {.infer_shapes = options_.infer_shapes,
            .see_all_shapes = options_.see_all_shapes,
            .values = options_.values,
            .unread_inputs = unread_inputs_,
            .reference = reference,
            .log = parts_.log};
  }

  // `failed_as`: as NodeSearch takes it. `needed`: nodes that were needed in a larger graph.
  base::Expected<bool> search_nodes(const SharedModel& model, edit::Subject::Constants constants,
                                    std::optional<std::string> failed_as = {}, const NodeHandles& needed = {}) {
    const bool is_original = model.get() == &model_;
    auto owner =
        std::make_unique<Stage>(model, constants, stage_options(is_original ? parts_.reference : derived_reference()));
    Stage& stage = *owner;
    if (is_original) original_ = std::move(owner);
    has_constants_ = stage.subject().has_constant_nodes();
    NodeSearch search(stage.subject(), phases_but(kTakeOut), std::move(failed_as));
    const auto build = [&](const Draft& draft) { return stage.build(draft); };
    ASSAY_ASSIGN(end_, run_search(search, stage.subject(), build, small_outlook(stage)));
    if (!search.fails()) {
      ASSAY_ASSIGN(whole_, build(std::make_shared<const edit::Selection>(edit::whole(stage.subject()))));
      return false;
    }
    ASSAY_ASSIGN(SharedModel found,
                 build(std::make_shared<const edit::Selection>(select(stage.subject(), search.best()))));
    ASSAY_ASSIGN(found, bypass_many(found));
    ASSAY_ASSIGN(found, fix_sizes(found));
    if (!ended() && !options_.skip.contains(kTakeOut)) {
      ASSAY_TRY(take_out_nodes(found, stage.subject(), search.found(), needed));
    }
    searched_ = explorer_.best().model;
    return true;
  }

  // What the growing phases have found is a stage of its own: its inputs are declared once, as the candidate that fails
  // declares them, and not for each candidate as that one's cut suggests. `found` is what they know of `subject`.
  base::Status take_out_nodes(const SharedModel& model, const edit::Subject& subject, Found found,
                              const NodeHandles& needed) {
    Stage::Options options = stage_options(derived_reference());
    options.unknown_rank = UnknownRank::refuse;
    Stage stage(model, edit::Subject::Constants::as_nodes, options);
    if (stage.subject().nodes().size() < 2) return {};
    NodeSearch search(stage.subject(), phases_but_all(kTakeOut), explorer_.best().output);
    found = translate(std::move(found), subject, stage.subject());
    found.needed = nodes_of(stage.subject(), needed);
    search.begin_with(std::move(found));
    const auto build = [&](const Draft& draft) { return stage.build(draft); };
    ASSAY_ASSIGN(end_, run_search(search, stage.subject(), build,
                                  {next_after_nodes(stage), last_look_after(), once_more_after()}));
    return {};
  }

  // What keeps type and shape goes in batches before single nodes are taken out, one a check.
  base::Expected<SharedModel> bypass_many(const SharedModel& model) {
    if (ended()) return model;
    BypassSearch search = bypass_search(model);
    ASSAY_ASSIGN(end_, explorer_.run(search, build_model, stages_++));
    return search.model();
  }

  // Prefers inputs of fixed sizes: what single nodes are replaced by is then declared as precisely as it can be.
  base::Expected<SharedModel> fix_sizes(const SharedModel& model) {
    if (ended() || model->graph().node_size() < static_cast<int>(kFixedFrom) || has_fixed_inputs(*model)) return model;
    Stage stage(model, edit::Subject::Constants::as_nodes, stage_options(derived_reference()));
    ASSAY_ASSIGN(const SharedModel fixed, stage.build(edit::whole(stage.subject()), {.fixed_shapes = true}));
    if (!fixed) return model;
    TryModel search(fixed, kTakeOut, "the same nodes, with inputs of fixed sizes");
    ASSAY_ASSIGN(end_, explorer_.run(search, build_model, stages_++));
    return search.fails() ? fixed : model;
  }

  // Values of tensors that the original model has, too, come from there.
  [[nodiscard]] MakeReference derived_reference() const {
    if (!parts_.reference) return {};
    return [this](const edit::Subject& subject, const edit::TensorFacts& facts) -> std::unique_ptr<Reference> {
      return std::make_unique<LayeredReference>(original_->reference(), original_->subject(),
                                                parts_.reference(subject, facts));
    };
  }

  [[nodiscard]] std::set<std::string, std::less<>> phases_but(std::string_view name) const {
    std::set<std::string, std::less<>> skip = options_.skip;
    skip.emplace(name);
    return skip;
  }
  [[nodiscard]] std::set<std::string, std::less<>> phases_but_all(std::string_view name) const {
    std::set<std::string, std::less<>> skip = options_.skip;
    for (const PhaseRow& row : phases()) {
      if (row.name != name) skip.emplace(row.name);
    }
    return skip;
  }

  // The same nodes in the model that was made of them: they are found by what they make.
  static Found translate(Found found, const edit::Subject& from, const edit::Subject& to) {
    Nodes around;
    for (const edit::NodeId node : found.around) {
      const auto outputs = from.view().outputs(node);
      const edit::TensorId made = outputs.empty() ? edit::kNone : to.view().find(from.view().name(outputs.front()));
      const edit::NodeId maker = made == edit::kNone ? edit::kNone : to.view().producer(made);
      if (maker != edit::kNone) around.push_back(maker);
    }
    std::ranges::sort(around);
    found.around = std::move(around);
    found.best = std::make_shared<const Nodes>(to.nodes().begin(), to.nodes().end());
    return found;
  }

  // What follows the growing phases: if a single node fails, there are none to take out; else many are bypassed.
  [[nodiscard]] std::vector<Follow> small_outlook(Stage& stage) {
    using Searches = std::map<Nodes, std::unique_ptr<Strategy>>;
    const Follow next = next_after_nodes(stage);
    const Follow after_growth =
        [this, &stage, next, made = std::make_shared<Searches>()](const Strategy& ended) -> std::unique_ptr<Strategy> {
      const auto& search = static_cast<const NodeSearch&>(ended);
      if (!search.fails() || search.best().size() < 2) return next(ended);
      const auto [at, is_new] = made->try_emplace(search.best());
      if (is_new) {
        const auto model = stage.build(std::make_shared<const edit::Selection>(select(stage.subject(), search.best())));
        if (model && *model) at->second = std::make_unique<BypassSearch>(bypass_search(*model));
      }
      return at->second ? at->second->clone() : nullptr;
    };
    return {after_growth, last_look_after(), once_more_after()};
  }

  [[nodiscard]] BypassSearch bypass_search(const SharedModel& model) const {
    return {{.skip = options_.skip, .values = &parts_.values}, model};
  }

  base::Expected<ExploreEnd> run_search(NodeSearch& search, const edit::Subject& subject, const Explorer::Build& build,
                                        std::vector<Follow> then = {}) {
    const auto slots = static_cast<std::size_t>(parts_.judges.slots());
    Scouts scouts(Nodes(subject.nodes().begin(), subject.nodes().end()), slots * 3 / 4);
    return explorer_.run(search, build, stages_++,
                         {.scouting = {slots < kScoutedSlots ? nullptr : &scouts, &subject}, .then = std::move(then)});
  }

  base::Status try_verbatim() {
    if (parts_.judge_file) {
      ASSAY_ASSIGN(const Verdict verdict, repeat_judge(parts_.judge_file, options_.rule)());
      ++result_.counts.checks;
      result_.counts.check_seconds += verdict.seconds;
      result_.verbatim = verdict.kind == Verdict::Kind::fails;
    }
    if (!result_.verbatim) {
      return base::fail(base::ErrorKind::invalid_input, "the model does not fail the check", model_.path.string(),
                        "Run the check on it by hand, and see what it says");
    }
    ++result_.counts.failing;
    parts_.log.warning(
        "The file fails, but not once it is written anew: the failure lies in what writing changes (unused parts, how "
        "values are stored). The result is the file as it is.");
    return {};
  }

  // A body that takes its node's place makes the graph larger, and, once its nodes were searched, the model smaller.
  // Where it does not, it is left as it was.
  base::Status open_bodies() {
    for (bool smaller = true; smaller && !ended();) {
      const std::int64_t nodes = explorer_.best().nodes;
      const NodeHandles before = handles_of(explorer_.best().model->graph());
      ASSAY_ASSIGN(const SharedModel opened, opened_model());
      if (opened && !ended()) {
        ASSAY_TRY(search_nodes(opened, edit::Subject::Constants::as_values, explorer_.best().output, before));
      }
      smaller = explorer_.best().nodes < nodes;
      if (!smaller && !ended()) {
        ASSAY_ASSIGN(smaller, open_later_iterations());
      }
    }
    return {};
  }

  // With all bodies open that can be while it fails; null if none can. What was tried once isn't tried again: the
  // search for nodes since has only taken away what wasn't needed.
  base::Expected<SharedModel> opened_model() {
    SharedModel opened;
    for (const Pass& pass : passes()) {
      if (!pass.opens_bodies || ended()) continue;
      std::optional<ChangeSearch> search = changes_of(pass, opened ? opened : explorer_.best().model);
      if (!search) continue;
      ASSAY_ASSIGN(end_, explorer_.run(*search, build_model, stages_++));
      for (const edit::ModelChange* refused : search->refused()) tried_openings_.insert(refused->what);
      if (search->changes_made() > 0) opened = search->model();
    }
    return opened;
  }

  // Of Loops of which the first iteration alone passes. True where that led to fewer nodes.
  base::Expected<bool> open_later_iterations() {
    if (options_.skip.contains("unroll-loop")) return false;
    const std::int64_t nodes = explorer_.best().nodes;
    const SharedModel model = explorer_.best().model;
    const edit::KnownValues known = edit::known_values(*model);
    const PassInput input{.model = *model, .known = known, .values = parts_.values};
    for (const LoopNode& loop : loops_of(input)) {
      if (!tried_loops_.insert(loop.output).second || ended()) continue;
      LoopSearch search(input, loop);
      ASSAY_ASSIGN(end_, explorer_.run(search, build_model, stages_++));
      if (search.found() == nullptr || ended()) continue;
      for (const LoopNode& left : loops_of({*search.found(), known, parts_.values})) tried_loops_.insert(left.output);
      ASSAY_TRY(search_nodes(search.found(), edit::Subject::Constants::as_values, search.output()));
      if (explorer_.best().nodes < nodes) return true;
    }
    return false;
  }

  // Bodies that have to stay where they are: searched like graphs, each candidate fitted into its node again.
  base::Status search_bodies() {
    int searched = 0;
    ASSAY_TRY(search_bodies({}, searched));
    const onnx::GraphProto& graph = explorer_.best().model->graph();
    const auto worth_it =
        std::ranges::count_if(bodies_of(graph), [](const Place& body) { return body.graph->node_size() > 1; });
    if (searched == 0 || searched < worth_it) return {};
    searched_bodies_ = explorer_.best().model;
    if (graph.node_size() == 1) searched_ = explorer_.best().model;
    return {};
  }

  // Those inside a body, an outer one before what is left inside it. `path`: which body of the graph, which of that,
  // and so on. From the last to the first: what a search leaves of a body changes nothing before it. Adds to `searched`
  // how many are 1-minimal.
  base::Status search_bodies(const std::vector<std::size_t>& path, int& searched) {
    for (std::size_t left = bodies_at(path).size(); left > 0 && !ended(); --left) {
      std::vector<BodyModel> bodies = bodies_at(path);
      if (bodies.size() < left) return {};
      ASSAY_ASSIGN(const bool fails, search_body(bodies[left - 1]));
      searched += fails ? 1 : 0;
      std::vector<std::size_t> inside = path;
      inside.push_back(left - 1);
      ASSAY_TRY(search_bodies(inside, searched));
    }
    return {};
  }

  [[nodiscard]] std::vector<BodyModel> bodies_at(const std::vector<std::size_t>& path) const {
    const model::Model& model = *explorer_.best().model;
    std::vector<BodyModel> bodies = BodyModel::find(model, edit::known_values(model));
    for (const std::size_t number : path) {
      if (number >= bodies.size()) return {};
      bodies = BodyModel::find_inside(std::make_shared<const BodyModel>(std::move(bodies[number])));
    }
    return bodies;
  }

  base::Expected<bool> search_body(const BodyModel& body) {
    if (body.body().graph().node_size() < 2) return false;
    // The reference knows the inputs of the model, not those of a body.
    Stage::Options options = stage_options({});
    options.passed_through = false;
    Stage stage(std::make_shared<const model::Model>(body.body()), edit::Subject::Constants::as_values, options);
    NodeSearch search(stage.subject(), options_.skip, explorer_.best().output);
    const auto build = [&](const Draft& draft) -> base::Expected<SharedModel> {
      ASSAY_ASSIGN(const SharedModel candidate, stage.build(draft));
      auto wrapped = body.wrap(*candidate);
      return wrapped ? std::make_shared<const model::Model>(*std::move(wrapped)) : nullptr;
    };
    ASSAY_ASSIGN(end_, run_search(search, stage.subject(), build));
    return search.fails();
  }

  base::Status simplify() {
    if (ended()) return {};
    SimplifySearch search = simplification(explorer_.best().model, searched_);
    ASSAY_ASSIGN(end_, explorer_.run(search, build_model, stages_++, {.scouting = {}, .then = {once_more_after()}}));
    searched_ = search.searched();
    return {};
  }

  [[nodiscard]] SimplifySearch simplification(SharedModel model, SharedModel searched) const {
    const auto bisection = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(result_.nodes_before)));
    return SimplifySearch({.skip = options_.skip,
                           .thorough = options_.thorough,
                           .values = &parts_.values,
                           .fixed = &options_.fixed_inputs,
                           .checks = bisection + 1},
                          {.model = std::move(model),
                           .searched = std::move(searched),
                           .searched_bodies = searched_bodies_,
                           .asked = result_.counts.asked()});
  }

  // What comes after the nodes of the outer graph: bodies are opened, or the rest is simplified.
  [[nodiscard]] Follow next_after_nodes(Stage& stage) const {
    using Searches = std::map<Nodes, std::unique_ptr<Strategy>>;
    return [this, &stage, made = std::make_shared<Searches>()](const Strategy& ended) -> std::unique_ptr<Strategy> {
      const auto& search = static_cast<const NodeSearch&>(ended);
      if (!search.fails()) return nullptr;
      const auto [at, is_new] = made->try_emplace(search.best());
      if (is_new) {
        const auto model = stage.build(std::make_shared<const edit::Selection>(select(stage.subject(), search.best())));
        if (!model || !*model) return nullptr;
        if (std::optional<ChangeSearch> opening = first_opening(*model)) {
          at->second = std::make_unique<ChangeSearch>(*std::move(opening));
        } else if (bodies_of((*model)->graph()).empty()) {
          at->second = std::make_unique<SimplifySearch>(simplification(*model, *model));
        }
      }
      return at->second ? at->second->clone() : nullptr;
    };
  }

  // Of the first pass that finds a body to open.
  [[nodiscard]] std::optional<ChangeSearch> first_opening(const SharedModel& model) const {
    for (const Pass& pass : passes()) {
      if (!pass.opens_bodies) continue;
      if (std::optional<ChangeSearch> search = changes_of(pass, model)) return search;
    }
    return std::nullopt;
  }

  [[nodiscard]] Follow last_look_after() {
    using Looks = std::map<SharedModel, std::unique_ptr<Strategy>>;
    return [this, made = std::make_shared<Looks>()](const Strategy& ended) -> std::unique_ptr<Strategy> {
      const auto* simplified = dynamic_cast<const SimplifySearch*>(&ended);
      if (simplified == nullptr || options_.skip.contains(kVerify)) return nullptr;
      std::unique_ptr<Strategy>& look = (*made)[simplified->model()];
      if (!look) look = std::make_unique<LastLook>(last_look(simplified->model()));
      return look->clone();
    };
  }

  [[nodiscard]] Follow once_more_after() const {
    return [this](const Strategy& ended) -> std::unique_ptr<Strategy> {
      const auto* look = dynamic_cast<const LastLook*>(&ended);
      if (look == nullptr) return nullptr;
      return std::make_unique<OnceMore>(look->model(), runs_.next_run() + 1, runs_.confirmations());
    };
  }

  [[nodiscard]] LastLook last_look(const SharedModel& model) {
    const auto list = [this](const SharedModel& of) {
      return std::make_shared<Removals>(of, stage_options(derived_reference()), parts_.values);
    };
    return {model, list, {.runs_again = !runs_.repeats(), .first_run = runs_.next_run()}};
  }

  static base::Expected<SharedModel> build_model(const Draft& draft) { return std::get<SharedModel>(draft); }

  // Absent where the pass is skipped, or finds nothing to change.
  [[nodiscard]] std::optional<ChangeSearch> changes_of(const Pass& pass, const SharedModel& model) const {
    if (options_.skip.contains(pass.name)) return std::nullopt;
    const auto is_untried = [&](const edit::ModelChange& change) { return !tried_openings_.contains(change.what); };
    auto changes = propose_changes(pass, model, parts_.values, nullptr, is_untried);
    return changes ? std::optional<ChangeSearch>(std::in_place, pass.name, pass.chance, std::move(changes))
                   : std::nullopt;
  }

  // Nothing is claimed of the result that was not looked at: its nodes are removed one by one in every way, and it is
  // judged again. If anything turns out to be intermittent, what is left is searched again with repeated runs.
  base::Status confirm() {
    for (int look = 0; look < kLastLooks && end_ != ExploreEnd::checks; ++look) {
      SharedModel flipped;
      if (!ended() && !options_.skip.contains(kVerify)) {
        ASSAY_ASSIGN(flipped, look_last());
        if (end_ == ExploreEnd::checks) return {};
      }
      ASSAY_ASSIGN(const bool search_again, runs_.detect(explorer_.best().model, flipped));
      if (!search_again) return {};
      ASSAY_TRY(search_nodes(explorer_.best().model, edit::Subject::Constants::as_values));
    }
    return {};
  }

  // Returns a candidate that passed and failed; null if there's none.
  base::Expected<SharedModel> look_last() {
    LastLook look = last_look(explorer_.best().model);
    runs_.claim_runs(1);
    ASSAY_ASSIGN(end_, explorer_.run(look, build_model, stages_++, {.scouting = {}, .then = {once_more_after()}}));
    result_.untried = look.untried();
    result_.empty_fails = look.empty_fails();
    return look.flipped();
  }

  void finish() {
    result_.passes = explorer_.passes();
    result_.confirmation = runs_.verdicts_on(explorer_.best().model);
    if (result_.verbatim) {
      result_.model = std::make_shared<const model::Model>(model_);
      result_.nodes_after = result_.nodes_before;
      return;
    }
    result_.model = explorer_.best().model;
    result_.nodes_after = explorer_.best().nodes;
    result_.uncalled_functions = uncalled_functions(*result_.model);
    // Until here they may have messages of the model that they came from.
    result_.model = std::make_shared<const model::Model>(*result_.model);
    if (const SharedModel passing = explorer_.nearest_passing().model) {
      result_.passing = std::make_shared<const model::Model>(*passing);
    }
    const bool is_verified = !options_.skip.contains(kVerify);
    if (result_.end == MinimalReduction::End::minimal && !is_verified) result_.end = MinimalReduction::End::skipped;
    if (end_ == ExploreEnd::few_nodes) result_.end = MinimalReduction::End::few_nodes;
    if (end_ == ExploreEnd::checks) result_.end = MinimalReduction::End::checks;
  }

  const model::Model& model_;
  const MinimalOptions& options_;
  const MinimalParts& parts_;
  MinimalReduction result_;
  Explorer explorer_;
  ExploreEnd end_ = ExploreEnd::finished;
  SharedModel whole_;            // the candidate with all nodes, where it did not fail
  SharedModel searched_;         // what the last search for nodes ended with
  SharedModel searched_bodies_;  // what the last search in bodies ended with, where it saw all of them
  std::set<std::string> tried_loops_;
  std::set<std::string> tried_openings_;  // what changes that open a body say of themselves
  bool has_constants_ = false;
  bool unread_inputs_ = false;       // have to stay
  std::unique_ptr<Stage> original_;  // the first stage: what it knows of its tensors holds for all
  RepeatedRuns runs_;
  int stages_ = 0;
};

}  // namespace

base::Expected<MinimalReduction> reduce_to_minimum(const model::Model& model, const MinimalOptions& options,
                                                   const MinimalParts& parts) {
  return Minimizer(model, options, parts).run();
}

}  // namespace assay::reduce
