#include "reduce/judge/judge_files.h"

namespace assay::reduce {

Oracle judge_files(CandidateFile& file, Iterations& iterations, const FileJudge& judge) {
  return [&](const Candidate& candidate) {
    return iterations.run(candidate.iteration, candidate.nodes, [&]() -> base::Expected<Verdict> {
      ASSAY_TRY(file.write(candidate));
      base::Expected<Verdict> verdict = judge();
      file.remove();
      return verdict;
    });
  };
}

}  // namespace assay::reduce
