// Other failures are grouped by the class rule whatever rule the user chose, so that variants of the same failure are
// reported once.
#include "reduce/judge/failure_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/shorten_middle.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/judge/error_lines.h"
#include "reduce/judge/names_in_text.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kMostOthers = 16;
constexpr std::size_t kMostQuoted = 200;  // characters

// Makes the verdict unresolved if there is a reason why the saved outputs can't judge the model. Returns whether there
// is.
bool set_aside_if(const std::optional<std::string>& why, Verdict& verdict) {
  if (!why) return false;
  set_aside(verdict, Verdict::Cause::saved_outputs, "the saved outputs can't judge it: " + *why);
  return true;
}

}  // namespace

bool FailureFilter::may_be_difference() const {
  return mode_ == SameFailure::any || !reference_ || reports_difference(*reference_);
}

void FailureFilter::classify_pass(Verdict& verdict, const model::Model& model) {
  if (saved_ && may_be_difference() && set_aside_if(saved_->why_not_compare(model), verdict)) return;
  warn_of_errors(verdict);
}

// An engine that rejects the candidate or crashes on it has failed whatever was saved.
bool FailureFilter::classify_by_saved(Verdict& verdict, const Signature& seen, const model::Model& model) const {
  if (!reports_difference(seen)) return set_aside_if(saved_->why_not_run(model), verdict);
  if (may_be_difference()) return set_aside_if(saved_->why_not_compare(model), verdict);
  verdict.kind = Verdict::Kind::passes;
  verdict.text = "outputs differ from the saved ones, which isn't the failure";
  return true;
}

void FailureFilter::warn_of_errors(const Verdict& passing) {
  if (warned_of_pass_ || !reference_) return;
  const LinesOfOutput lines = sort_lines(passing.output);
  std::vector<std::string> suspects = lines.errors;
  std::ranges::copy_if(lines.others, std::back_inserter(suspects),
                       [](const std::string& line) { return has_word(line, "unresolved"); });
  std::erase_if(suspects, [&](const std::string& line) { return reference_output_.find(line) != std::string::npos; });
  if (suspects.empty()) return;
  warned_of_pass_ = true;
  log_->warning(
      "A candidate passes, but the check's output looks like an error: {}. If the check can't judge such candidates, "
      "let it exit with status 125, or describe the output with --unresolved-regex. They are then skipped.",
      base::shorten_middle(suspects.front(), kMostQuoted));
}

std::optional<bool> FailureFilter::is_other(const Verdict& verdict) const {
  if (!reference_) return std::nullopt;
  return !same_failure(*reference_, signature_of(verdict), mode_);
}

std::optional<std::string> FailureFilter::describe_drift(const Signature& result) const {
  if (!reference_ || same_failure(*reference_, result, SameFailure::same_class)) return std::nullopt;
  return fmt::format(
      "The result may show another failure than the model. The first candidate that failed: {}. The result: {}. "
      "--same-failure class keeps to the failure of the whole model",
      describe_with_headline(*reference_), describe_with_headline(result));
}

std::optional<std::string> FailureFilter::new_input(const Signature& failure, const model::Model& candidate) const {
  const std::vector<std::string> names = names_in_text(failure.headline);
  for (const onnx::ValueInfoProto& input : candidate.graph().input()) {
    if (!inputs_.contains(input.name()) && std::ranges::find(names, input.name()) != names.end()) return input.name();
  }
  return std::nullopt;
}

void FailureFilter::classify(Verdict& verdict, const std::shared_ptr<const model::Model>& model) {
  if (verdict.source == Verdict::Source::replay_file) return;
  if (verdict.kind == Verdict::Kind::passes) {
    classify_pass(verdict, *model);
    return;
  }
  const Signature seen = signature_of(verdict);
  if (saved_ && classify_by_saved(verdict, seen, *model)) return;
  if (!reference_) {
    reference_ = seen;
    reference_output_ = verdict.output;
    for (const onnx::ValueInfoProto& input : model->graph().input()) inputs_.insert(input.name());
  }
  if (same_failure(*reference_, seen, mode_)) return;
  if (reports_only_specials(*reference_, seen)) {
    verdict.kind = Verdict::Kind::passes;
    verdict.text = "outputs are NaN or infinite on both sides, which isn't the failure";
    return;
  }
  const bool ends_alike = seen.ending == reference_->ending;
  set_aside(verdict, ends_alike ? Verdict::Cause::other_error : Verdict::Cause::other_ending,
            verdict.text + ", but it is a different failure");
  keep_other(seen, model);
}

void FailureFilter::keep_other(const Signature& seen, const std::shared_ptr<const model::Model>& model) {
  const std::int64_t nodes = count_all_nodes(*model);
  if (nodes == 0) return;  // it fails because of its inputs, which says nothing about the model
  const auto known = std::ranges::find_if(
      others_, [&](const OtherFailure& other) { return same_failure(other.signature, seen, SameFailure::same_class); });
  if (known != others_.end()) {
    ++known->times;
    if (nodes < known->nodes) known->model = model, known->nodes = nodes;
    return;
  }
  if (others_.size() == kMostOthers) return;
  warn_of_other(seen, *model);
  others_.push_back({.signature = seen, .model = model, .nodes = nodes, .times = 1});
}

void FailureFilter::warn_of_other(const Signature& seen, const model::Model& candidate) const {
  std::string failure = describe_with_headline(seen);
  if (failure.ends_with('.')) failure.pop_back();
  // If the names of both errors are the same, the messages tell what differs.
  std::string searched =
      describe(seen) == describe(*reference_) ? describe_with_headline(*reference_) : describe(*reference_);
  if (searched.ends_with('.')) searched.pop_back();
  log_->warning("A candidate fails differently: {}. The failure to be reduced is {}. Such candidates are skipped.",
                failure, searched);
  if (const auto input = new_input(seen, candidate)) {
    log_->warning(
        "'{}' is an input that this candidate has in place of removed nodes. If the check has no value for it, because "
        "it feeds the inputs of the whole model, give these to the reduction, too (--load-inputs), freeze what is cut "
        "(--values), and let the check feed only the inputs that a candidate has",
        *input);
  }
}

}  // namespace assay::reduce
