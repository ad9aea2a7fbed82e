// Asks the user for verdicts, if there is no check command.
#pragma once

#include <filesystem>
#include <ostream>
#include <set>
#include <string>

#include "base/error.h"
#include "base/stop.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

class Person {
 public:
  // `input` is a file descriptor that remains the caller's; it and `out` must outlive this object.
  Person(int input, std::ostream& out) : input_(input), out_(out) {}

  // Asks whether `subject` passes or fails, until the answer begins with p or f in any case. Errors: invalid_input
  // if the input ends without an answer; io; interrupted.
  base::Expected<Verdict> ask(const std::string& subject, const base::Stop& stop);
  // Asks about the model in a file. If the user has been asked about the same model before, the question says so and
  // why it is asked again. Errors: those of ask() and of file_identity().
  base::Expected<Verdict> ask_about_model(const std::filesystem::path& file, const base::Stop& stop);

 private:
  base::Expected<std::string> read_line(const std::string& subject, const base::Stop& stop);

  int input_;
  std::ostream& out_;
  std::set<std::string> asked_;  // identities of the files of ask_about_model()
  std::string ahead_;            // input that was read past the end of the last answer
};

}  // namespace assay::reduce
