#include "blame/search_precision.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/at.h"
#include "base/counted.h"
#include "blame/precision_candidate.h"
#include "tensor/float16_values.h"

namespace assay::blame {
namespace {

// Returns the candidate for people, with its largest value if float16 can't represent that.
std::string describe(const PrecisionSubject& subject, const PrecisionCandidate& candidate,
                     const std::map<std::string, double>& largest) {
  const double most = largest_value(candidate, largest).value_or(0);
  std::string text = subject.describe(candidate);
  if (most >= tensor::kFloat16Overflow) text += fmt::format(": values up to {:.4g}", most);
  return text;
}

}  // namespace

base::Status search_precision(const PrecisionSubject& subject, const PrecisionJudge& judge,
                              const PrecisionSearch& search, reduce::Iterations* iterations, base::Log& log,
                              const base::Stop& stop, PrecisionFindings& found) {
  int number = 0;
  const auto test = [&](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
    if (stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped");
    const auto judge_kept = [&] { return judge(numbers_at(subject, kept)); };
    ASSAY_ASSIGN(const reduce::Verdict verdict,
                 iterations == nullptr
                     ? judge_kept()
                     : iterations->run({.number = number++, .phase = {}}, static_cast<int>(kept.size()), judge_kept));
    log.info("{} in {}: {}: {} ({:.2f} s)", base::counted(kept.size(), subject.unit()), search.precision,
             reduce::describe(verdict.kind), verdict.text, verdict.seconds);
    return PrecisionTrial{.passes = verdict.kind == reduce::Verdict::Kind::passes, .error = verdict.output_error};
  };
  return find_precision(static_cast<int>(subject.candidates().size()), subject.suspects(search.largest), search.options,
                        test, found);
}

std::string to_text(const PrecisionFindings& found, const PrecisionSubject& subject, const PrecisionSearch& search) {
  const std::string runs = base::counted(found.runs, "run");
  if (found.kept.empty()) {
    return fmt::format("No {} has to stay in {}, found in {}", subject.unit(), search.precision, runs);
  }
  const std::string all = base::counted(subject.candidates().size(), subject.unit());
  // The other modes don't find out which of the first ones are needed.
  const bool is_minimal = search.options.mode == PrecisionMode::minimal;
  const std::string set =
      is_minimal ? fmt::format("{} of {} {} to", found.kept.size(), all, found.kept.size() == 1 ? "has" : "have")
                 : fmt::format("The model passes if the {} {} of {}", search.options.reverse ? "last" : "first",
                               found.kept.size(), all);
  std::string text = fmt::format("{} stay in {}, found in {}:", set, search.precision, runs);
  for (const int at : found.kept) {
    text += "\n    " + describe(subject, subject.candidates()[static_cast<std::size_t>(at)], search.largest);
  }
  return text;
}

std::string to_json(const PrecisionFindings& found, const PrecisionSubject& subject, const PrecisionSearch& search,
                    const PrecisionAnswer& answer) {
  using Json = nlohmann::ordered_json;
  Json kept = Json::array();
  for (const int at : found.kept) {
    const PrecisionCandidate& candidate = subject.candidates()[base::at(at)];
    const std::optional<double> largest = largest_value(candidate, search.largest);
    kept.push_back({{"name", candidate.name},
                    {"op_type", candidate.op_type},
                    {"description", subject.describe(candidate)},
                    {"largest", largest ? Json(*largest) : Json()}});
  }
  const Json json = {{"precision", search.precision},
                     {"unit", subject.unit()},
                     {"nodes", std::move(kept)},
                     {"names", answer.names},
                     {"candidates", subject.candidates().size()},
                     {"runs", found.runs},
                     {"stopped", answer.stopped},
                     {"model", answer.model.empty() ? Json() : Json(answer.model)},
                     {"options", answer.options}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // names needn't be UTF-8
}

}  // namespace assay::blame
