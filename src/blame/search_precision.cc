#include "blame/search_precision.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/at.h"
#include "base/counted.h"
#include "base/json_text.h"
#include "blame/precision_candidate.h"
#include "tensor/float16_values.h"
#include "tensor/number_text.h"

namespace assay::blame {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(tensor::format_scalar(value));
}

// Returns the candidate for people, with its largest value if float16 can't represent that.
std::string describe(const PrecisionSubject& subject, const PrecisionCandidate& candidate,
                     const std::map<std::string, double>& largest) {
  const double most = largest_value(candidate, largest).value_or(0);
  std::string text = subject.describe(candidate);
  if (most >= tensor::kFloat16Overflow) text += fmt::format(": values up to {:.4g}", most);
  return text;
}

base::Status fails_even_if_all_are_kept(const PrecisionSubject& subject, const PrecisionSearch& search) {
  return base::fail(
      base::ErrorKind::invalid_input,
      fmt::format("the model fails even if all {}s stay in {}", subject.unit(), search.precision), search.model,
      search.quantized.empty()
          ? fmt::format("Find out first why it fails in {}, e.g. with `assay debug reduce`", search.precision)
          : fmt::format("Check that '{}' was made from this very model", search.quantized));
}

}  // namespace

base::Expected<PrecisionChoice> search_precision(const PrecisionSubject& subject, const PrecisionJudge& judge,
                                                 const PrecisionSearch& search, reduce::Iterations* iterations,
                                                 base::Log& log, const base::Stop& stop) {
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
  PrecisionChoice choice;
  const auto candidates = static_cast<int>(subject.candidates().size());
  choice.status = find_precision(candidates, subject.suspects(search.largest), search.options, test, choice.found);
  if (iterations != nullptr && !choice.status && choice.status.error().kind == base::ErrorKind::interrupted) {
    choice.status.error().fix =
        fmt::format("To continue, run it again with --load-debug-replay {}", iterations->save_replay().string());
  }
  const PrecisionFindings& found = choice.found;
  if (!choice.status && (!found.passes || std::ssize(found.kept) == candidates)) {
    return base::fail(std::move(choice.status).error());
  }
  if (!found.passes) return base::fail(fails_even_if_all_are_kept(subject, search).error());
  choice.keep = numbers_at(subject, found.kept);
  return choice;
}

std::string to_text(const PrecisionChoice& choice, const PrecisionSubject& subject, const PrecisionSearch& search) {
  const PrecisionFindings& found = choice.found;
  const std::string all = base::counted(subject.candidates().size(), subject.unit());
  if (!choice.status) {
    return fmt::format("The best so far: {} of {} stay in {}. Perhaps fewer are enough", found.kept.size(), all,
                       search.precision);
  }
  const std::string runs = base::counted(found.runs, "run");
  if (found.kept.empty()) {
    return fmt::format("No {} has to stay in {}, found in {}", subject.unit(), search.precision, runs);
  }
  // The other modes don't find out which of the first ones are needed.
  const bool is_minimal = search.options.mode == PrecisionMode::minimal;
  const std::string set =
      is_minimal ? fmt::format("{} of {} {} to", found.kept.size(), all, found.kept.size() == 1 ? "has" : "have")
                 : fmt::format("The model passes if the {} {} of {}", search.options.reverse ? "last" : "first",
                               found.kept.size(), all);
  std::string text = fmt::format("{} stay in {}, found in {}:", set, search.precision, runs);
  for (const int at : found.kept) {
    text += "\n    " + describe(subject, subject.candidates()[base::at(at)], search.largest);
  }
  return text;
}

std::string to_json(const PrecisionChoice& choice, const PrecisionSubject& subject, const PrecisionSearch& search,
                    const PrecisionAnswer& answer) {
  Json kept = Json::array();
  for (const int at : choice.found.kept) {
    const PrecisionCandidate& candidate = subject.candidates()[base::at(at)];
    const std::optional<double> largest = largest_value(candidate, search.largest);
    kept.push_back({{"name", candidate.name},
                    {"op_type", candidate.op_type},
                    {"description", subject.describe(candidate)},
                    {"largest", largest ? number(*largest) : Json()}});
  }
  const Json json = {{"precision", search.precision},
                     {"unit", subject.unit()},
                     {"nodes", std::move(kept)},
                     {"names", answer.names},
                     {"candidates", subject.candidates().size()},
                     {"runs", choice.found.runs},
                     {"stopped", !choice.status},
                     {"model", answer.model.empty() ? Json() : Json(answer.model)},
                     {"options", answer.options}};
  return base::json_text(json, 2);
}

}  // namespace assay::blame
