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
#include "reduce/body_model.h"
#include "reduce/change_search.h"
#include "reduce/count_nodes.h"
#include "reduce/loop_search.h"
#include "reduce/node_search.h"
#include "reduce/once_more.h"
#include "reduce/pass.h"
#include "reduce/passes/body_graphs.h"
#include "reduce/repeat_judge.h"
#include "reduce/simplify_search.h"
#include "reduce/stage.h"

namespace assay::reduce {
namespace {

using Clock = std::chrono::steady_clock;
using SharedModel = std::shared_ptr<const model::Model>;

constexpr int kProbes = 4;  // more runs, where one that should have failed passed
constexpr int kMostRepeats = 20;
constexpr std::size_t kScoutedSlots = 6;  // with fewer, halving tells as much as scouts do
constexpr double kWrongPass = 0.01;       // that a candidate is taken for a pass by chance

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
        confirmations_(options.rule.repeat) {}

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
    result_.nodes_before = count_all_nodes(model_);
    ASSAY_TRY(search_original());
    if (result_.verbatim) return {};
    ASSAY_TRY(open_bodies());
    ASSAY_TRY(search_bodies());
    ASSAY_TRY(simplify());
    return end_ == ExploreEnd::checks ? base::Status{} : confirm();
  }

  // The reasons why nothing fails are gone through: the failure comes and goes; it needs Constant nodes to be nodes, or
  // inputs that nobody reads; it lies in how the file is written; it is not there.
  base::Status search_original() {
    const SharedModel original(SharedModel(), &model_);  // owns nothing: the model outlives the search
    ASSAY_ASSIGN(bool fails, search_nodes(original, edit::Subject::Constants::as_values));
    if (!fails) {
      ASSAY_ASSIGN(const bool comes_and_goes, look_for_flakiness(whole_, kProbes));
      if (comes_and_goes) {
        ASSAY_ASSIGN(fails, search_nodes(original, edit::Subject::Constants::as_values));
      }
    }
    if (!fails && has_constants_) {
      parts_.log.info(
          "The failure is gone when Constant nodes are written as initializers: they are kept as nodes now");
      ASSAY_ASSIGN(fails, search_nodes(original, edit::Subject::Constants::as_nodes));
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

  // `failed_as`: as NodeSearch takes it.
  base::Expected<bool> search_nodes(const SharedModel& model, edit::Subject::Constants constants,
                                    std::optional<std::string> failed_as = {}) {
    Stage stage(model, constants, stage_options(parts_.reference));
    has_constants_ = stage.subject().has_constant_nodes();
    NodeSearch search(stage.subject(), options_.skip, std::move(failed_as));
    const auto build = [&](const Draft& draft) { return stage.build(draft); };
    ASSAY_ASSIGN(end_, run_search(search, stage.subject(), build, {next_after_nodes(stage), once_more_after()}));
    if (search.fails()) {
      searched_ = explorer_.best().model;
    } else {
      ASSAY_ASSIGN(whole_, build(std::make_shared<const edit::Selection>(edit::whole(stage.subject()))));
    }
    return search.fails();
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
      ASSAY_ASSIGN(const SharedModel opened, opened_model());
      if (opened && !ended()) {
        ASSAY_TRY(search_nodes(opened, edit::Subject::Constants::as_values, explorer_.best().output));
      }
      smaller = explorer_.best().nodes < nodes;
      if (!smaller && !ended()) {
        ASSAY_ASSIGN(smaller, open_later_iterations());
      }
    }
    return {};
  }

  // With all bodies open that can be while it fails; null where none can.
  base::Expected<SharedModel> opened_model() {
    SharedModel opened;
    for (const Pass& pass : passes()) {
      if (!pass.opens_bodies || ended()) continue;
      std::optional<ChangeSearch> search = changes_of(pass, opened ? opened : explorer_.best().model);
      if (!search) continue;
      ASSAY_ASSIGN(end_, explorer_.run(*search, build_model, stages_++));
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

  [[nodiscard]] Follow once_more_after() const {
    return [this](const Strategy& ended) -> std::unique_ptr<Strategy> {
      const auto* simplified = dynamic_cast<const SimplifySearch*>(&ended);
      if (simplified == nullptr) return nullptr;
      return std::make_unique<OnceMore>(simplified->model(), further_runs_, confirmations_);
    };
  }

  static base::Expected<SharedModel> build_model(const Draft& draft) { return std::get<SharedModel>(draft); }

  // Absent where the pass is skipped, or finds nothing to change.
  [[nodiscard]] std::optional<ChangeSearch> changes_of(const Pass& pass, const SharedModel& model) const {
    if (options_.skip.contains(pass.name)) return std::nullopt;
    auto changes = propose_changes(pass, model, parts_.values);
    return changes ? std::optional<ChangeSearch>(std::in_place, pass.name, pass.chance, std::move(changes))
                   : std::nullopt;
  }

  // More runs of the check on a model; as many of them failed.
  base::Expected<int> run_again(const SharedModel& model, int times) {
    OnceMore search(model, further_runs_, times);
    further_runs_ += times;
    ASSAY_TRY(explorer_.run(search, build_model, stages_++));
    const std::vector<Verdict>& verdicts = search.verdicts();
    if (std::exchange(run_again_, model) != model) result_.confirmation.clear();
    result_.confirmation.insert(result_.confirmation.end(), verdicts.begin(), verdicts.end());
    return static_cast<int>(std::ranges::count(verdicts, Verdict::Kind::fails, &Verdict::kind));
  }

  // Where the failure has come and gone, candidates are run as often as it takes from now on.
  base::Expected<bool> look_for_flakiness(const SharedModel& model, int probes) {
    if (options_.rule.repeat > 1 || is_flaky_) return false;
    ASSAY_ASSIGN(const int failed, run_again(model, probes));
    if (failed == 0) return false;
    is_flaky_ = true;
    const double chance = static_cast<double>(failed) / (probes + 1);
    const RepeatRule rule{.repeat = std::clamp(repeats_needed(chance, kWrongPass).value_or(1), kProbes, kMostRepeats)};
    parts_.log.warning(
        "The failure comes and goes: it came in {} of {} runs. Candidates are run up to {} times from now on; one "
        "failing run counts. --repeat and --fail-ratio say otherwise.",
        failed, probes + 1, rule.repeat);
    explorer_.set_rule(rule);
    confirmations_ = rule.repeat;
    return true;
  }

  // The result once more, by runs of its own. One that does not fail every time was found with single runs, of which
  // some will have passed by chance: what is left is searched again.
  base::Status confirm() {
    const SharedModel model = explorer_.best().model;
    ASSAY_ASSIGN(const int failed, run_again(model, confirmations_));
    if (failed > 0 || options_.rule.repeat > 1 || is_flaky_) return {};
    ASSAY_ASSIGN(const bool comes_and_goes, look_for_flakiness(model, kProbes));
    if (!comes_and_goes) return {};
    ASSAY_TRY(search_nodes(model, edit::Subject::Constants::as_values));
    ASSAY_TRY(run_again(explorer_.best().model, confirmations_));
    return {};
  }

  // Only what takes nodes out one by one shows that none can go.
  [[nodiscard]] bool may_take_more() const {
    const int outer = result_.model->graph().node_size();
    const bool inside = result_.nodes_after > outer && options_.skip.contains("remove-body-nodes");
    return (outer > 1 || inside) && options_.skip.contains("nodes");
  }

  void finish() {
    result_.passes = explorer_.passes();
    if (run_again_ != explorer_.best().model) result_.confirmation.clear();
    if (result_.verbatim) {
      result_.model = std::make_shared<const model::Model>(model_);
      result_.nodes_after = result_.nodes_before;
      return;
    }
    result_.model = explorer_.best().model;
    result_.nodes_after = explorer_.best().nodes;
    result_.simplified_since = result_.model != searched_ && result_.nodes_after > 1;
    // Until here they may have messages of the model that they came from.
    result_.model = std::make_shared<const model::Model>(*result_.model);
    if (const SharedModel passing = explorer_.nearest_passing().model) {
      result_.passing = std::make_shared<const model::Model>(*passing);
    }
    if (result_.end == MinimalReduction::End::minimal && may_take_more()) result_.end = MinimalReduction::End::skipped;
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
  SharedModel run_again_;        // what was run again at last
  SharedModel searched_bodies_;  // what the last search in bodies ended with, where it saw all of them
  std::set<std::string> tried_loops_;
  bool has_constants_ = false;
  bool unread_inputs_ = false;  // have to stay
  bool is_flaky_ = false;
  int confirmations_;
  int further_runs_ = 0;  // that were made
  int stages_ = 0;
};

}  // namespace

base::Expected<MinimalReduction> reduce_to_minimum(const model::Model& model, const MinimalOptions& options,
                                                   const MinimalParts& parts) {
  return Minimizer(model, options, parts).run();
}

}  // namespace assay::reduce
