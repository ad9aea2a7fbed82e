// Keeps a reduction on the failure that it began with.
//
// The first failing verdict is the reference. A candidate that fails in another way is neither good nor bad: its
// verdict becomes unresolved, and the smallest such model of each other failure is kept, since one failure often hides
// a second.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "model/model.h"
#include "reduce/judge/signature.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

struct OtherFailure {
  Signature signature;
  std::shared_ptr<const model::Model> model;  // the smallest that was seen
  std::int64_t nodes = 0;
  int times = 0;
};

class FailureFilter {
 public:
  // `log` must outlive this object.
  FailureFilter(SameFailure mode, base::Log& log) : mode_(mode), log_(&log) {}

  // Takes a failing verdict, and may turn it into an unresolved one. One from a replay file is believed, and is no
  // reference: it does not tell how the check ended. Of a passing verdict only the output is looked at: if it tells of
  // an error, the check probably couldn't judge the candidate, and the user is told once how to say that.
  void classify(Verdict& verdict, const std::shared_ptr<const model::Model>& model);

  [[nodiscard]] const std::optional<Signature>& reference() const { return reference_; }
  [[nodiscard]] const std::vector<OtherFailure>& others() const { return others_; }

 private:
  void look_at_pass(const Verdict& verdict);

  SameFailure mode_;
  base::Log* log_;
  std::string reference_output_;
  bool warned_of_pass_ = false;
  std::optional<Signature> reference_;
  std::vector<OtherFailure> others_;
};

}  // namespace assay::reduce
