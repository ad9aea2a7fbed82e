#include "report/page/encode_views.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "report/page/columns.h"

namespace assay::report {
namespace {

using Index = std::uint32_t;

// Lists of different lengths as two columns: all elements, and where each list ends.
template <typename T>
struct Lists {
  std::vector<T> elements;
  std::vector<Index> ends;
  void end_list() { ends.push_back(static_cast<Index>(elements.size())); }
};

void add_nodes(const PageGraph& graph, Columns& columns) {
  std::vector<Index> names, types, domains, bodies, keys, values, attribute_ends;
  std::vector<std::int32_t> parents;
  Lists<std::int32_t> inputs, outputs;
  for (const PageNode& node : graph.nodes) {
    names.push_back(columns.text(node.name));
    types.push_back(columns.text(node.op_type));
    domains.push_back(columns.text(node.domain));
    bodies.push_back(columns.text(node.body));
    parents.push_back(node.parent);
    inputs.elements.insert(inputs.elements.end(), node.inputs.begin(), node.inputs.end());
    inputs.end_list();
    outputs.elements.insert(outputs.elements.end(), node.outputs.begin(), node.outputs.end());
    outputs.end_list();
    for (const auto& [key, value] : node.attributes) {
      keys.push_back(columns.text(key));
      values.push_back(columns.text(value));
    }
    attribute_ends.push_back(static_cast<Index>(keys.size()));
  }
  columns.add("node_name", names);
  columns.add("node_type", types);
  columns.add("node_domain", domains);
  columns.add("node_body", bodies);
  columns.add("node_parent", parents);
  columns.add("node_inputs", inputs.elements);
  columns.add("node_input_ends", inputs.ends);
  columns.add("node_outputs", outputs.elements);
  columns.add("node_output_ends", outputs.ends);
  columns.add("attribute_key", keys);
  columns.add("attribute_value", values);
  columns.add("node_attribute_ends", attribute_ends);
}

void add_tensors(const PageGraph& graph, Columns& columns) {
  std::vector<Index> names, types, shapes;
  std::vector<std::uint8_t> roles, origins, agree;
  std::vector<double> absolute, relative, norm;
  for (const PageTensor& tensor : graph.tensors) {
    names.push_back(columns.text(tensor.name));
    types.push_back(columns.text(tensor.type));
    shapes.push_back(columns.text(tensor.shape));
    roles.push_back(static_cast<std::uint8_t>(tensor.role));
    origins.push_back(static_cast<std::uint8_t>(tensor.origin));
    agree.push_back(tensor.agrees ? 1 : 0);
    absolute.push_back(tensor.absolute);
    relative.push_back(tensor.relative);
    norm.push_back(tensor.norm);
  }
  columns.add("tensor_name", names);
  columns.add("tensor_type", types);
  columns.add("tensor_shape", shapes);
  columns.add("tensor_role", roles);
  columns.add("tensor_origin", origins);
  columns.add("tensor_agrees", agree);
  columns.add("tensor_absolute", absolute);
  columns.add("tensor_relative", relative);
  columns.add("tensor_norm", norm);
}

// Ranks tensors for the choice of histograms: errors that begin in it are what a reader looks for, and not
// compared is less than any error.
double badness(const PageTensor& tensor) {
  if (tensor.origin == Origin::born) {
    return std::numeric_limits<double>::infinity();
  }
  for (const double error : {tensor.norm, tensor.relative, tensor.absolute}) {
    if (!std::isnan(error)) {
      return error;
    }
  }
  return -1;
}

std::set<std::size_t> worst_tensors(const PageGraph& graph) {
  std::vector<std::size_t> order;
  for (std::size_t tensor = 0; tensor < graph.tensors.size(); ++tensor) {
    const auto& statistics = graph.tensors[tensor].statistics;
    if (std::any_of(statistics.begin(), statistics.end(),
                    [](const auto& side) { return side.histogram.has_value(); })) {
      order.push_back(tensor);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&graph](std::size_t left, std::size_t right) {
    return badness(graph.tensors[left]) > badness(graph.tensors[right]);
  });
  order.resize(std::min(order.size(), kHistograms));
  return {order.begin(), order.end()};
}

void add_statistics(const PageGraph& graph, Columns& columns) {
  std::vector<Index> sides, ends;
  std::vector<double> minimum, maximum, mean, deviation, nans, infinities, low, high;
  Lists<double> counts;
  const std::set<std::size_t> worst = worst_tensors(graph);
  for (std::size_t tensor = 0; tensor < graph.tensors.size(); ++tensor) {
    for (const PageStatistics& side : graph.tensors[tensor].statistics) {
      sides.push_back(columns.text(side.side));
      minimum.push_back(side.minimum);
      maximum.push_back(side.maximum);
      mean.push_back(side.mean);
      deviation.push_back(side.deviation);
      nans.push_back(static_cast<double>(side.nans));
      infinities.push_back(static_cast<double>(side.infinities));
      const PageHistogram histogram =
          worst.contains(tensor) ? side.histogram.value_or(PageHistogram()) : PageHistogram();
      low.push_back(histogram.low);
      high.push_back(histogram.high);
      counts.elements.insert(counts.elements.end(), histogram.counts.begin(), histogram.counts.end());
      counts.end_list();
    }
    ends.push_back(static_cast<Index>(sides.size()));
  }
  columns.add("statistics_side", sides);
  columns.add("tensor_statistics_ends", ends);
  columns.add("statistics_minimum", minimum);
  columns.add("statistics_maximum", maximum);
  columns.add("statistics_mean", mean);
  columns.add("statistics_deviation", deviation);
  columns.add("statistics_nans", nans);
  columns.add("statistics_infinities", infinities);
  columns.add("histogram_low", low);
  columns.add("histogram_high", high);
  columns.add("histogram_counts", counts.elements);
  columns.add("histogram_ends", counts.ends);
}

void add_checks(const std::vector<PageCheck>& checks, Columns& columns) {
  std::vector<double> seconds, nodes;
  std::vector<std::uint8_t> failed;
  std::vector<Index> passes;
  for (const PageCheck& check : checks) {
    seconds.push_back(check.seconds);
    nodes.push_back(static_cast<double>(check.nodes));
    failed.push_back(check.failed ? 1 : 0);
    passes.push_back(columns.text(check.pass));
  }
  columns.add("check_seconds", seconds);
  columns.add("check_nodes", nodes);
  columns.add("check_failed", failed);
  columns.add("check_pass", passes);
}

}  // namespace

std::string encode_views(const Page& page) {
  if (page.graph.nodes.empty() && page.graph.tensors.empty() && page.checks.empty()) {
    return "";
  }
  Columns columns;
  columns.add("facts", std::vector<Index>{columns.text(page.graph.file), columns.text(page.first_side),
                                          columns.text(page.second_side)});
  columns.add("graph_opens_at", std::vector<std::int32_t>{page.graph.opens_at});
  add_nodes(page.graph, columns);
  add_tensors(page.graph, columns);
  add_statistics(page.graph, columns);
  add_checks(page.checks, columns);
  return columns.encode();
}

}  // namespace assay::report
