#include "backend/serve/check_feeds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/list_first.h"
#include "worker/is_tensor.h"

namespace assay::backend {
namespace {

using worker::Phase;
using worker::Port;

constexpr std::size_t kNamesShown = 20;

// There may be thousands of ports.
using PortsByName = std::unordered_map<std::string_view, const Port*>;

void add(PortsByName& by_name, const std::vector<Port>& ports) {
  for (const Port& port : ports) by_name.emplace(port.name, &port);
}

std::string list_names(const std::vector<Port>& ports) {
  if (ports.empty()) return "none";
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back("'" + port.name + "'");
  return base::list_first(std::move(names), kNamesShown, ", ");
}

// "(1, 3, ?, ?)"
std::string format_port_shape(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> dimensions;
  for (const std::int64_t dimension : shape) dimensions.push_back(dimension < 0 ? "?" : std::to_string(dimension));
  return fmt::format("({}{})", fmt::join(dimensions, ", "), shape.size() == 1 ? "," : "");
}

bool fits(const tensor::Shape& given, const std::vector<std::int64_t>& expected) {
  return expected.empty() ||
         std::ranges::equal(given, expected, [](std::int64_t g, std::int64_t e) { return e < 0 || g == e; });
}

Answer<void> check_feed(const tensor::Tensor& given, const Port& port) {
  if (!is_tensor(port)) {
    return refuse(Phase::run, 0,
                  fmt::format("the input '{}' is {}, and only tensors can be fed", port.name, port.kind));
  }
  if (given.type() != port.type) {
    return refuse(Phase::run, 0,
                  fmt::format("the input '{}' has the wrong type: expected {}, given {}", port.name,
                              tensor::name(port.type), tensor::name(given.type())));
  }
  if (!fits(given.shape(), port.shape)) {
    return refuse(Phase::run, 0,
                  fmt::format("the input '{}' has the wrong shape: expected {}, given {}", port.name,
                              format_port_shape(port.shape), tensor::format_shape(given.shape())));
  }
  return {};
}

}  // namespace

Answer<void> check_feeds(const tensor::NamedTensors& feeds, const std::vector<Port>& required,
                         const std::vector<Port>& optional) {
  PortsByName by_name;
  add(by_name, required);
  add(by_name, optional);
  for (const auto& [name, given] : feeds) {
    const auto at = by_name.find(name);
    if (at == by_name.end()) {
      return refuse(Phase::run, 0, fmt::format("the model has no input '{}': it has {}", name, list_names(required)));
    }
    ASSAY_TRY(check_feed(given, *at->second));
  }
  for (const Port& port : required) {
    if (feeds.contains(port.name)) continue;
    const std::string expected =
        is_tensor(port) ? fmt::format("{}, shape={}", tensor::name(port.type), format_port_shape(port.shape))
                        : port.kind;
    return refuse(Phase::run, 0, fmt::format("the input '{}' is not fed: expected {}", port.name, expected));
  }
  return {};
}

Answer<std::vector<std::string>> check_wanted(const std::vector<std::string>& wanted,
                                              const std::vector<Port>& outputs) {
  if (wanted.empty()) {
    std::vector<std::string> names;
    for (const Port& port : outputs) names.push_back(port.name);
    return names;
  }
  PortsByName by_name;
  add(by_name, outputs);
  for (const std::string& name : wanted) {
    const auto at = by_name.find(name);
    if (at == by_name.end()) {
      return refuse(Phase::run, 0, fmt::format("the model has no output '{}': it has {}", name, list_names(outputs)));
    }
    const Port* port = at->second;
    if (!is_tensor(*port)) {
      return refuse(
          Phase::run, 0,
          fmt::format("the output '{}' is {}, and only tensors can be returned: mark other tensors as outputs", name,
                      port->kind));
    }
  }
  return wanted;
}

}  // namespace assay::backend
