#include "reduce/judge/ask_person.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/read_error.h"
#include "base/seconds.h"
#include "base/strings.h"
#include "reduce/verdicts/candidate_hash.h"

namespace assay::reduce {

// Waits for input and for the stop at once, since the user may press Ctrl-C instead of answering.
base::Expected<std::string> Person::read_line(const std::string& subject, const base::Stop& stop) {
  for (;;) {
    if (const std::size_t end = ahead_.find('\n'); end != std::string::npos) {
      std::string line = ahead_.substr(0, end);
      ahead_.erase(0, end + 1);
      return line;
    }
    std::array<pollfd, 2> fds = {pollfd{stop.wake_fd(), POLLIN, 0}, pollfd{input_, POLLIN, 0}};
    ::poll(fds.data(), fds.size(), -1);
    if (stop.requested()) {
      return base::fail(base::ErrorKind::interrupted, "stopped while waiting for an answer", subject);
    }
    if (fds[1].revents == 0) continue;
    std::array<char, 256> buffer;
    const ssize_t count = ::read(input_, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return base::fail(base::read_error("cannot read an answer", "standard input", errno));
    if (count > 0) {
      ahead_.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (!ahead_.empty()) {
      ahead_ += '\n';  // the last line had no newline
    } else {
      return base::fail(base::ErrorKind::invalid_input, "standard input ended before the question was answered",
                        subject, "Answer p or f, or name a command with --check");
    }
  }
}

base::Expected<Verdict> Person::ask(const std::string& subject, const base::Stop& stop) {
  const auto start = std::chrono::steady_clock::now();
  out_ << "Does " << subject << " pass or fail? [p/f] " << std::flush;
  for (;;) {
    ASSAY_ASSIGN(const std::string line, read_line(subject, stop));
    const std::string answer = base::to_lower(base::trim(line));
    // The first letter decides, as in Polygraphy, so that "passed" and "failed" are answers, too.
    if (answer.starts_with('p') || answer.starts_with('f')) {
      const double seconds = base::seconds_since(start);
      return Verdict{.kind = answer.front() == 'f' ? Verdict::Kind::fails : Verdict::Kind::passes,
                     .text = "your answer",
                     .seconds = seconds};
    }
    out_ << "Please answer p or f: " << std::flush;
  }
}

base::Expected<Verdict> Person::ask_about_model(const std::filesystem::path& file, const base::Stop& stop) {
  ASSAY_ASSIGN(std::string identity, file_identity(file));
  if (!asked_.insert(std::move(identity)).second) {
    out_ << "The next question is about a model that you have judged before. Please try it again, since the failure "
            "may be intermittent.\n";
  }
  return ask("'" + file.string() + "'", stop);
}

}  // namespace assay::reduce
