// TensorRT's settings: their names, and whether their values are possible. This finds mistakes without TensorRT, too.
// Engines of TensorRT are sessions (session.cc).
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>

#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/encode_settings.h"
#include "tensorrt/engine_plan.h"
#include "tensorrt/enumerations.h"
#include "tensorrt/network_plan.h"
#include "tensorrt/settings.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

// Scripts run in the user's version of TensorRT, which may know more names than this build does.
bool has_scripts(const tensorrt::NetworkPlan& network, const tensorrt::ConfigPlan& config) {
  return network.begin || !network.changes.empty() || config.begin || config.change;
}

void check_names(const tensorrt::NetworkPlan& network, const tensorrt::ConfigPlan& config) {
  const auto check = [](std::string_view enumeration, const std::string& name, std::string_view option) {
    unwrap(tensorrt::check_enumerator(enumeration, name, option));
  };
  for (const tensorrt::Setting& setting : tensorrt::config_settings()) {
    const std::string member(setting.member);
    if (const auto choice = config.choices.find(member); choice != config.choices.end()) {
      check(choice->second.type, choice->second.name, setting.name());
    }
    if (const auto list = config.lists.find(member); list != config.lists.end()) {
      for (const std::string& name : list->second.names) check(list->second.type, name, setting.name());
    }
  }
  for (const auto& [pool, bytes] : config.pool_limits) check("MemoryPoolType", pool, "--pool-limit");
  for (const std::string& flag : network.parser_flags) check("OnnxParserFlag", flag, "--onnx-flags");
  for (const std::string& type : network.output_types) check("LayerType", type, "--trt-outputs-by-type");
  for (const auto& [tensor, formats] : network.tensor_formats) {
    for (const std::string& format : formats) check("TensorFormat", format, "--tensor-formats");
  }
}

void check_settings(const std::map<std::string, std::string>& entries) {
  const tensorrt::GivenSettings given = unwrap(tensorrt::decode_settings(entries));
  const tensorrt::NetworkPlan network = unwrap(tensorrt::plan_network(given, ""));
  const tensorrt::ConfigPlan config = unwrap(tensorrt::plan_config(given, {}));
  unwrap(tensorrt::plan_engine(given));
  if (!has_scripts(network, config)) check_names(network, config);
}

std::map<std::string, bool> list_settings() {
  std::map<std::string, bool> names;
  for (const auto& group : tensorrt::all_settings()) {
    for (const tensorrt::Setting& setting : group) names[std::string(setting.name())] = setting.takes_value();
  }
  return names;
}

}  // namespace

void bind_tensorrt(nb::module_& module) {
  module.def("check_tensorrt_settings", &check_settings, nb::arg("settings"),
             "Raises InputError unless the values of the settings are possible.");
  module.def("tensorrt_settings", &list_settings,
             "Returns the options of TensorRT's settings, and whether each takes a value.");
}

}  // namespace assay::python
