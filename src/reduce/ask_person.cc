#include "reduce/ask_person.h"

#include <chrono>

#include "base/strings.h"

namespace assay::reduce {

base::Expected<Verdict> ask_person(const std::string& subject, std::istream& in, std::ostream& out) {
  const auto start = std::chrono::steady_clock::now();
  out << "Does " << subject << " pass or fail? [p/f] " << std::flush;
  std::string line;
  while (std::getline(in, line)) {
    const std::string answer = base::to_lower(base::trim(line));
    if (answer == "p" || answer == "pass" || answer == "f" || answer == "fail") {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      return Verdict{.kind = answer.front() == 'f' ? Verdict::Kind::fails : Verdict::Kind::passes,
                     .text = "your answer",
                     .seconds = took.count()};
    }
    out << "Please answer p or f: " << std::flush;
  }
  return base::fail(base::ErrorKind::invalid_input, "standard input ended before the question was answered", subject,
                    "Answer p or f, or give a command with --check");
}

}  // namespace assay::reduce
