// Failures that others have reported in public: the list that ships with Assay.
//
// An entry applies if the engine, its version, the kind of failure, the operators and their set, and the message fit.
// All of them are known from the earlier steps, so a look-up runs nothing.
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

struct IssueRow {
  std::string_view engine;  // kind of worker, or "reference"
  Failure failure;
  std::vector<std::string_view> operators{};  // all of them are in the minimal case
  std::string_view message{};   // a part of the engine's message or of the settings at fault; may be empty
  std::string_view fixed_in{};  // the first version without it; empty: none is known
  int first_opset = 0;          // the sets of ONNX's operators with which it happens
  int last_opset = std::numeric_limits<int>::max();
  std::string_view what;
  std::string_view link;  // of a public issue or pull request
};

// The facts with which an entry is compared.
struct Symptoms {
  std::string engine{}, version{};
  int opset = 0;  // of ONNX's own operators that the model imports
  Failure failure = Failure::none;
  std::set<std::string, std::less<>> operators{};
  std::string message{};
};

const std::vector<IssueRow>& known_issues();
// Returns the first row that fits, or null.
const IssueRow* match_issue(const Symptoms& symptoms);

// Looks up the failure that the earlier steps found. Errors: those of loading the minimal case.
base::Expected<std::optional<KnownIssue>> find_known_issue(const Case& task, const Facts& facts);

}  // namespace assay::diagnose
