#include "reduce/verdicts/verdict.h"

#include <utility>

namespace assay::reduce {

void set_aside(Verdict& verdict, Verdict::Cause cause, std::string text) {
  verdict.kind = Verdict::Kind::unresolved;
  verdict.cause = cause;
  verdict.text = std::move(text);
}

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
