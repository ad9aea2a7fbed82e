#include "reduce/reduction_json.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "reduce/judge/signature.h"

namespace assay::reduce {
namespace {

using Json = nlohmann::ordered_json;

Json path_or_null(const std::string& path) {
  return path.empty() ? Json(nullptr) : Json(path);
}

Json list(const std::vector<PassCounts>& passes) {
  Json array = Json::array();
  for (const PassCounts& pass : passes) {
    array.push_back({{"name", pass.pass},
                     {"checks", pass.checks},
                     {"failing", pass.failing},
                     {"nodes_removed", pass.nodes_removed}});
  }
  return array;
}

Json list(const std::vector<OtherFailure>& others, const std::vector<std::string>& files) {
  Json array = Json::array();
  for (std::size_t i = 0; i < others.size(); ++i) {
    const OtherFailure& other = others[i];
    array.push_back({{"description", describe(other.signature)},
                     {"headline", other.signature.headline},
                     {"times", other.times},
                     {"nodes", other.nodes},
                     {"file", path_or_null(i < files.size() ? files[i] : std::string())}});
  }
  return array;
}

}  // namespace

std::string to_json(const Reduction& reduction, const std::vector<OtherFailure>& others,
                    const std::vector<std::string>& nodes, const ReductionFiles& files) {
  const auto confirmed = std::ranges::count(reduction.confirmation, Verdict::Kind::fails, &Verdict::kind);
  const Json object = {
      {"end", word_for(reduction.stop_reason)},
      {"is_minimal", is_minimal(reduction)},
      {"nodes_before", reduction.nodes_before},
      {"nodes_after", reduction.nodes_after},
      {"nodes", nodes},
      {"failure", describe(reduction.failure)},
      {"headline", reduction.failure.headline},
      {"output", reduction.verdict.output},
      {"files",
       {{"model", path_or_null(files.model)},
        {"passing", path_or_null(files.passing)},
        {"repro", path_or_null(files.repro)}}},
      {"confirmed", confirmed},
      {"confirmations", reduction.confirmation.size()},
      {"untried", reduction.untried},
      {"empty_fails", reduction.empty_fails},
      {"uncalled_functions", reduction.uncalled_functions},
      {"verbatim", reduction.verbatim},
      {"others", list(others, files.others)},
      {"passes", list(reduction.passes)},
      {"error", reduction.error ? Json(reduction.error->message()) : Json(nullptr)},
      {"checks", reduction.counts.checks},
      {"failing", reduction.counts.failing},
      {"unresolved", reduction.counts.unresolved},
      {"reused", reduction.counts.replayed},
      {"check_seconds", reduction.counts.check_seconds},
      {"seconds", reduction.seconds},
  };
  return base::json_text(object, 2);
}

bool is_minimal(const Reduction& reduction) {
  return reduction.stop_reason == Reduction::StopReason::minimal && reduction.untried.empty();
}

std::string_view word_for(Reduction::StopReason reason) {
  using StopReason = Reduction::StopReason;
  switch (reason) {
    case StopReason::minimal:
      return "minimal";
    case StopReason::between_ends:
      return "between ends";
    case StopReason::skipped:
      return "passes skipped";
    case StopReason::few_nodes:
      return "until_nodes";
    case StopReason::checks:
      return "max_checks";
    case StopReason::unchanged:
      return "unchanged";
    case StopReason::stopped:
      return "stopped";
  }
  return "";
}

}  // namespace assay::reduce
