#include "reduce/reducer.h"

#include <utility>

#include "reduce/candidates/count_nodes.h"
#include "reduce/explore/scouts.h"
#include "reduce/values/layered_reference.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kScoutedSlots = 6;  // with fewer slots, looking ahead finds as much as scouts

Build build_in(CandidateBuilder& builder) {
  return [&builder](const Draft& draft) { return builder.build(draft); };
}

std::function<bool(const Draft&)> takes_long_in(const CandidateBuilder& builder) {
  return [&builder](const Draft& draft) { return builder.takes_long(draft); };
}

}  // namespace

Reducer::Reducer(SharedModel model, const ReduceOptions& options, const ReduceParts& parts)
    : model_(std::move(model)),
      options_(options),
      parts_(parts),
      explorer_(parts.explore, options.rule, options.limits),
      runs_(explorer_, log(), options.rule) {}

void Reducer::count_constants(Constants constants) {
  constants_ = constants;
  result_.nodes_before = count_all_nodes(*model_, constants);
  explorer_.count_constants(constants, result_.nodes_before);
}

base::Status Reducer::run_models(Strategy& search, std::vector<Follow> then) {
  return run(search, build_model, {.then = std::move(then)});
}

base::Status Reducer::run_drafts(Strategy& search, CandidateBuilder& builder) {
  return run(search, build_in(builder), {.takes_long = takes_long_in(builder)});
}

base::Status Reducer::run_nodes(NodeSearch& search, CandidateBuilder& builder, std::vector<Follow> then) {
  return run_with_scouts(search, builder.subject(), build_in(builder),
                         {.then = std::move(then), .takes_long = takes_long_in(builder)});
}

base::Status Reducer::run_body_nodes(NodeSearch& search, const CandidateBuilder& builder, const Build& build) {
  return run_with_scouts(search, builder.subject(), build, {});
}

base::Status Reducer::run(Strategy& search, const Build& build, const Outlook& outlook) {
  ASSAY_ASSIGN(limit_, explorer_.run(search, build, outlook));
  return {};
}

base::Status Reducer::run_with_scouts(NodeSearch& search, const edit::Subject& subject, const Build& build,
                                      Outlook outlook) {
  const auto slots = static_cast<std::size_t>(parts_.explore.judges.slots());
  Scouts scouts(Nodes(subject.nodes().begin(), subject.nodes().end()), slots * 3 / 4);
  Scouts* used = slots < kScoutedSlots ? nullptr : &scouts;
  outlook.scouting = {used, &subject};
  return run(search, build, outlook);
}

CandidateBuilder::Options Reducer::builder_options(const MakeReference& reference, bool keep_unread) const {
  return {.infer_shapes = options_.infer_shapes,
          .shapes_from_reference = options_.shapes_from_reference,
          .values = options_.values,
          .keep_unread = keep_unread,
          .reference = reference,
          .log = log()};
}

MakeReference Reducer::derived_reference(std::shared_ptr<CandidateBuilder> original) const {
  if (!parts_.reference) return {};
  return [this, original = std::move(original)](const edit::Subject& subject,
                                                const edit::TensorFacts& facts) -> std::unique_ptr<Reference> {
    // It keeps the original's builder alive, to which it belongs.
    std::shared_ptr<Reference> reference(original, original->reference());
    return std::make_unique<LayeredReference>(std::move(reference), original->facts(), parts_.reference(subject, facts),
                                              facts);
  };
}

std::optional<ChangeSearch> Reducer::changes_of(const Pass& pass, const SharedModel& model,
                                                const WantedChange& wanted) const {
  if (skips(pass.name)) return std::nullopt;
  auto changes = propose_changes(pass, model, parts_.values, nullptr, wanted, keeps_values());
  return changes ? std::optional<ChangeSearch>(std::in_place, pass.name, pass.chance, std::move(changes))
                 : std::nullopt;
}

}  // namespace assay::reduce
