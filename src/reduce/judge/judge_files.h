// The oracle of the command line: each candidate becomes a file, and something that looks at files judges it.
#pragma once

#include <functional>

#include "reduce/candidates/candidate_file.h"
#include "reduce/verdicts/iterations.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

// Judges the file that is there now: a check command, a person.
using FileJudge = std::function<base::Expected<Verdict>()>;

// Refers to all three, which must outlive the result. The seconds of a verdict are those of the judge alone.
Oracle judge_files(CandidateFile& file, Iterations& iterations, const FileJudge& judge);

}  // namespace assay::reduce
