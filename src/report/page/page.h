// The content of a command's HTML report. A command fills a Page with what it has found, and write_page() writes it as
// one file that needs neither a network nor a server. Views without data are left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace assay::report {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// The outcome of a step or a run; shown as a symbol, a colour and a word.
enum class Mark { good, bad, unknown, skipped, note };

// Texts in rows and columns. Every row has as many cells as there are columns.
struct PageTable {
  std::string title{};
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};
};

// A question that was asked and its answer, in the order in which they were asked.
struct PageStep {
  std::string question{};
  Mark mark = Mark::unknown;
  std::string answer{};
  double seconds = kNotMeasured;
  std::vector<PageTable> tables{};  // the evidence
};

// Counts of values in bins of equal width between two limits.
struct PageHistogram {
  double low = 0, high = 0;
  std::vector<std::uint64_t> counts{};
};

// Statistics of one tensor's values, of one side of a comparison or of a weight.
struct PageStatistics {
  std::string side{};  // the name of the runner; empty for a weight
  double minimum = kNotMeasured, maximum = kNotMeasured, mean = kNotMeasured, deviation = kNotMeasured;
  std::uint64_t nans = 0, infinities = 0;
  std::optional<PageHistogram> histogram{};
};

// The origin of a tensor's difference.
enum class Origin { none, born, grew, passed_on };

struct PageTensor {
  enum class Role { value, input, output, weight };
  std::string name{}, type{}, shape{};  // type and shape as ONNX prints them: float16, [1, 3, N]; empty if unknown
  Role role = Role::value;
  // The errors between two sides; kNotMeasured if the tensor wasn't compared, infinite if only one side is finite.
  double absolute = kNotMeasured, relative = kNotMeasured, norm = kNotMeasured;
  bool agrees = true;
  Origin origin = Origin::none;
  std::vector<PageStatistics> statistics{};
};

struct PageNode {
  std::string name{}, op_type{}, domain{};
  std::vector<std::int32_t> inputs{}, outputs{};                  // indices into PageGraph::tensors; -1: left out
  std::vector<std::pair<std::string, std::string>> attributes{};  // as text; long ones are shortened
  std::int32_t parent = -1;  // the node whose body this node is in, an index into PageGraph::nodes; -1: the main graph
  std::string body{};        // the attribute of the parent that holds the body (then_branch); empty in the main graph
};

// A model's graph in topological order. Tensors of bodies have entries of their own.
struct PageGraph {
  std::string file{};  // the model's path, for the commands that the page suggests
  std::vector<PageTensor> tensors{};
  std::vector<PageNode> nodes{};
  // The tensor that the verdict names, an index into tensors: the view opens there. -1: where the first error is born.
  std::int32_t opens_at = -1;
};

// One check of a reduction.
struct PageCheck {
  double seconds = 0;      // since the start
  std::int64_t nodes = 0;  // of the candidate
  bool failed = false;     // the candidate still fails, so the search continues with it
  std::string pass{};      // what proposed it
};

// The smallest failing model and how to make it fail.
struct MinimalCase {
  std::string file{};
  std::string model_text{};             // its nodes, a line each
  std::vector<std::string> commands{};  // shell commands that reproduce the failure
  std::vector<PageTable> tables{};      // why each node is needed, and the like
};

struct Page {
  std::string title{};  // "debug locate: model.onnx"
  Mark mark = Mark::unknown;
  std::string verdict{};  // one sentence
  std::string command_line{};
  std::vector<PageStep> steps{};
  std::vector<PageTable> tables{};  // anything else, below the steps
  // The names of the two runners that were compared. If they are empty, the page has no plot of errors.
  std::string first_side{}, second_side{};
  PageGraph graph{};
  std::vector<PageCheck> checks{};
  std::optional<MinimalCase> minimal_case{};
  std::vector<std::pair<std::string, std::string>> environment{};  // versions, hardware
};

// Returns the page as HTML.
std::string to_html(const Page& page);

// Writes the page to a temporary file and renames it to `path`. Errors: the file can't be written.
base::Status write_page(const Page& page, const std::filesystem::path& path);

}  // namespace assay::report
