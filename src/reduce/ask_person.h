// A person as the judge, where there is no check command.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "base/error.h"
#include "reduce/oracle.h"

namespace assay::reduce {

// Asks whether `subject` passes or fails until the answer is p or f (or pass, fail; in any case).
// Errors: invalid_input where the input ends without an answer.
base::Expected<Verdict> ask_person(const std::string& subject, std::istream& in, std::ostream& out);

}  // namespace assay::reduce
