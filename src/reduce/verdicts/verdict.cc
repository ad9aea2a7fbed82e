#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

std::string_view describe(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::passes:
      return "passes";
    case Verdict::Kind::fails:
      return "FAILS";
    case Verdict::Kind::unresolved:
      return "cannot be judged";
  }
  return "";
}

}  // namespace assay::reduce
