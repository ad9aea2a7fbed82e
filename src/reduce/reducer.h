// Shared by all stages of a reduction: the search engine, the options, and the way to build candidates.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "reduce/explore/explorer.h"
#include "reduce/explore/repeated_runs.h"
#include "reduce/reduce_model.h"
#include "reduce/search/candidate_builder.h"
#include "reduce/search/change_search.h"
#include "reduce/search/node_search.h"

namespace assay::reduce {

class Reducer {
 public:
  // `options` and `parts` must outlive this object.
  Reducer(SharedModel model, const ReduceOptions& options, const ReduceParts& parts);
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  [[nodiscard]] const SharedModel& model() const { return model_; }
  [[nodiscard]] const ReduceOptions& options() const { return options_; }
  [[nodiscard]] const ReduceParts& parts() const { return parts_; }
  [[nodiscard]] base::Log& log() const { return parts_.explore.log; }
  [[nodiscard]] Explorer& explorer() { return explorer_; }
  [[nodiscard]] const Explorer& explorer() const { return explorer_; }
  [[nodiscard]] RepeatedRuns& runs() { return runs_; }
  [[nodiscard]] const RepeatedRuns& runs() const { return runs_; }
  [[nodiscard]] Reduction& result() { return result_; }
  [[nodiscard]] const Reduction& result() const { return result_; }
  [[nodiscard]] bool keeps_values() const { return parts_.keeps_values && parts_.keeps_values(); }
  // Returns the names of the passes and phases that don't run.
  [[nodiscard]] const std::set<std::string, std::less<>>& skipped() const {
    return keeps_values() ? options_.skip_to_keep_values : options_.skip;
  }
  [[nodiscard]] bool skips(std::string_view pass) const { return skipped().contains(pass); }

  // Returns the smallest failing candidate; a null model before one has failed.
  [[nodiscard]] const Judged& best() const { return explorer_.best(); }
  [[nodiscard]] bool has_result() const { return result_.verbatim || best().model != nullptr; }
  // Returns whether a limit of the options ended the last search. Then no further stage should begin.
  [[nodiscard]] bool hit_limit() const { return limit_ != LimitReached::none; }
  [[nodiscard]] LimitReached limit_reached() const { return limit_; }

  // Sets how Constant nodes are counted in candidates from now on, and counts those of the whole model again.
  void count_constants(Constants constants);
  [[nodiscard]] Constants constants() const { return constants_; }

  // Run a search to its end, or to a limit. `then`: as in Outlook.
  // The search proposes models.
  base::Status run_models(Strategy& search, std::vector<Follow> then = {});
  // The search proposes drafts that `builder` builds.
  base::Status run_drafts(Strategy& search, CandidateBuilder& builder);
  // The search proposes nodes of the builder's model. Scouts help it.
  base::Status run_nodes(NodeSearch& search, CandidateBuilder& builder, std::vector<Follow> then);
  // The search proposes nodes of a body, the model of `builder`, which `build` builds and puts back. Scouts help it.
  base::Status run_body_nodes(NodeSearch& search, const CandidateBuilder& builder, const Build& build);

  // `keep_unread`: inputs and weights that no node reads stay in all candidates.
  [[nodiscard]] CandidateBuilder::Options builder_options(const MakeReference& reference, bool keep_unread) const;
  // Returns references for models that are derived from the original, whose builder `original` is: values of tensors
  // that the original has, too, come from its reference.
  [[nodiscard]] MakeReference derived_reference(std::shared_ptr<CandidateBuilder> original) const;

  // Returns a search over the wanted changes that a pass proposes for a model; nothing if the pass is skipped or
  // proposes none of them.
  [[nodiscard]] std::optional<ChangeSearch> changes_of(const Pass& pass, const SharedModel& model,
                                                       const WantedChange& wanted) const;

 private:
  base::Status run(Strategy& search, const Build& build, const Outlook& outlook);
  base::Status run_with_scouts(NodeSearch& search, const edit::Subject& subject, const Build& build, Outlook outlook);

  SharedModel model_;
  const ReduceOptions& options_;
  const ReduceParts& parts_;
  Reduction result_;
  Explorer explorer_;
  RepeatedRuns runs_;
  LimitReached limit_ = LimitReached::none;
  Constants constants_ = Constants::as_values;
};

}  // namespace assay::reduce
