#include "reduce/verdicts/verdict.h"

#include <algorithm>
#include <utility>

namespace assay::reduce {

std::string shorten_output(std::string output) {
  constexpr std::string_view kGap = "\n[...]\n";
  constexpr std::size_t kHead = (kKeptOutput - kGap.size()) / 2;
  constexpr std::size_t kTail = kKeptOutput - kGap.size() - kHead;
  if (output.size() <= kKeptOutput) return output;
  const std::string_view head = std::string_view(output).substr(0, kHead);
  const std::string_view tail = std::string_view(output).substr(output.size() - kTail);
  const std::size_t end_of_head = std::min(head.rfind('\n'), head.size());
  const std::size_t start_of_tail = tail.find('\n') + 1;  // 0 if the tail is one line
  return std::string(head.substr(0, end_of_head)).append(kGap).append(tail.substr(start_of_tail));
}

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
