// Keeps a reduction on the failure with which it started.
//
// The first failing verdict is the reference. If a candidate fails differently, its verdict becomes unresolved. The
// smallest model with each such failure is kept, since one failure often hides another. If it names an input that only
// the candidate has, the user is told how the check can do without: it may feed the inputs of the whole model.
//
// A check may compare with saved outputs. It then can't judge every candidate by whether these differ, but by another
// failure, such as a crash, it can.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "model/model.h"
#include "reduce/judge/signature.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

struct OtherFailure {
  Signature signature;
  std::shared_ptr<const model::Model> model;  // the smallest so far
  std::int64_t nodes = 0;
  int times = 0;
};

// The limits of a check that compares with saved outputs. Each function returns why the check can't do this for a
// model, or nothing if it can.
struct SavedOutputsLimits {
  std::function<std::optional<std::string>(const model::Model&)> why_not_compare;
  std::function<std::optional<std::string>(const model::Model&)> why_not_run;
};

class FailureFilter {
 public:
  // `saved`: absent if the check doesn't compare with saved outputs. `log` must outlive this object.
  FailureFilter(SameFailure mode, base::Log& log, std::optional<SavedOutputsLimits> saved = std::nullopt)
      : mode_(mode), log_(&log), saved_(std::move(saved)) {}

  // Examines a failing verdict and may turn it into an unresolved one. A verdict from a replay file is trusted but
  // doesn't become the reference, since it doesn't say how the check ended. If the output of a passing check reports an
  // error, the check probably couldn't judge the candidate, and the user is told once how to declare that. The verdict
  // becomes a passing one if outputs differ from saved ones, but the failure is another one, or if outputs should
  // differ but are only NaN or infinity on both sides.
  void classify(Verdict& verdict, const std::shared_ptr<const model::Model>& model);

  // Returns whether this failing verdict isn't of the reference failure, so that classify() would change it; nothing
  // before a reference is known.
  [[nodiscard]] std::optional<bool> is_other(const Verdict& verdict) const;

  // Returns false if any failure counts.
  [[nodiscard]] bool rejects_other_failures() const { return mode_ != SameFailure::any; }
  // Returns whether the failure may be that outputs differ. True before a failure is known.
  [[nodiscard]] bool may_be_difference() const;
  [[nodiscard]] const std::optional<Signature>& reference() const { return reference_; }
  // If the result fails differently from the first candidate that failed, says so, and what to do; otherwise returns
  // nothing. Happens only if every failure counts.
  [[nodiscard]] std::optional<std::string> describe_drift(const Signature& result) const;
  [[nodiscard]] const std::vector<OtherFailure>& others() const { return others_; }

 private:
  void classify_pass(Verdict& verdict, const model::Model& model);
  // Returns true if the saved outputs decide about this failing verdict, which it has then changed.
  bool classify_by_saved(Verdict& verdict, const Signature& seen, const model::Model& model) const;
  void warn_of_errors(const Verdict& passing);
  // Keeps the model if it is the smallest with this other failure. The user is told of the failure once.
  void keep_other(const Signature& seen, const std::shared_ptr<const model::Model>& model);
  void warn_of_other(const Signature& seen, const model::Model& candidate) const;
  // Returns an input in place of removed nodes that this failure names, or nothing.
  [[nodiscard]] std::optional<std::string> new_input(const Signature& failure, const model::Model& candidate) const;

  SameFailure mode_;
  base::Log* log_;
  std::optional<SavedOutputsLimits> saved_;
  std::string reference_output_;
  bool warned_of_pass_ = false;
  std::optional<Signature> reference_;
  std::set<std::string, std::less<>> inputs_;  // of the first model that failed
  std::vector<OtherFailure> others_;
};

}  // namespace assay::reduce
