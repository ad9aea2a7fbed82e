#include "plan.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "dims.h"
#include "infer_stubs.h"

namespace fake_tensorrt {
namespace {

using nlohmann::json;
using nvinfer1::DataType;
using nvinfer1::LayerType;

std::string first_line() {
  return "fake TensorRT " + std::to_string(NV_TENSORRT_MAJOR) + "." + std::to_string(NV_TENSORRT_MINOR) + " plan\n";
}

// Returns the enumerator with this name. TensorRT's enumerations have fewer than 64 enumerators.
template <class Enum>
Enum named(const std::string& name) {
  for (int value = 0; value < 64; ++value) {
    if (name_of(static_cast<Enum>(value)) == name) return static_cast<Enum>(value);
  }
  throw std::invalid_argument(name);
}

json optional_name(const std::optional<DataType>& type) {
  return type ? json(name_of(*type)) : json();
}
std::optional<DataType> optional_type(const json& name) {
  if (name.is_null()) return std::nullopt;
  return named<DataType>(name.get<std::string>());
}

json to_json(const GraphTensor& tensor) {
  return {{"name", tensor.name},           {"type", name_of(tensor.type)}, {"io_type", name_of(tensor.io_type)},
          {"dims", sizes_of(tensor.dims)}, {"formats", tensor.formats},    {"debug", tensor.is_debug}};
}

GraphTensor tensor_of(const json& row) {
  return {.name = row.at("name"),
          .type = named<DataType>(row.at("type")),
          .io_type = named<DataType>(row.at("io_type")),
          .dims = make_dims(row.at("dims")),
          .formats = row.at("formats"),
          .is_debug = row.at("debug")};
}

json to_json(const GraphLayer& layer) {
  json types = json::array();
  for (const auto& type : layer.output_types) types.push_back(optional_name(type));
  return {{"name", layer.name},
          {"metadata", layer.metadata},
          {"type", name_of(layer.type)},
          {"operation", layer.operation},
          {"inputs", layer.inputs},
          {"outputs", layer.outputs},
          {"precision", optional_name(layer.precision)},
          {"output_types", types},
          {"weights", layer.weights},
          {"operator", layer.op},
          {"attributes", layer.attributes},
          {"tactic", layer.tactic}};
}

GraphLayer layer_of(const json& row) {
  GraphLayer layer{.name = row.at("name"),
                   .metadata = row.at("metadata"),
                   .type = named<LayerType>(row.at("type")),
                   .operation = row.at("operation"),
                   .inputs = row.at("inputs"),
                   .outputs = row.at("outputs"),
                   .precision = optional_type(row.at("precision")),
                   .output_types = {},
                   .weights = row.at("weights"),
                   .op = row.at("operator"),
                   .attributes = row.at("attributes"),
                   .tactic = row.at("tactic")};
  for (const json& type : row.at("output_types")) layer.output_types.push_back(optional_type(type));
  return layer;
}

json to_json(const Graph& graph) {
  json tensors = json::array();
  json layers = json::array();
  for (const GraphTensor& tensor : graph.tensors) tensors.push_back(to_json(tensor));
  for (const GraphLayer& layer : graph.layers) layers.push_back(to_json(layer));
  return {{"name", graph.name},     {"tensors", tensors},       {"layers", layers},
          {"inputs", graph.inputs}, {"outputs", graph.outputs}, {"all_debug", graph.all_debug}};
}

Graph graph_of(const json& row) {
  Graph graph;
  graph.name = row.at("name");
  for (const json& tensor : row.at("tensors")) graph.tensors.push_back(tensor_of(tensor));
  for (const json& layer : row.at("layers")) graph.layers.push_back(layer_of(layer));
  graph.inputs = row.at("inputs").get<std::vector<int>>();
  graph.outputs = row.at("outputs").get<std::vector<int>>();
  graph.all_debug = row.at("all_debug");
  return graph;
}

json to_json(const ProfileRow& profile) {
  json shapes = json::object();
  for (const auto& [input, dims] : profile.shapes) {
    for (const auto& each : dims) shapes[input].push_back(sizes_of(each.value_or(no_dims())));
  }
  return {{"shapes", shapes}, {"values", profile.values}, {"wide_values", profile.has_wide_values}};
}

ProfileRow profile_of(const json& row) {
  ProfileRow profile;
  for (const auto& [input, dims] : row.at("shapes").items()) {
    for (std::size_t i = 0; i < 3; ++i) profile.shapes[input][i] = make_dims(dims.at(i));
  }
  profile.values = row.at("values");
  profile.has_wide_values = row.at("wide_values");
  return profile;
}

}  // namespace

std::string serialize(const Plan& plan) {
  json profiles = json::array();
  for (const ProfileRow& profile : plan.profiles) profiles.push_back(to_json(profile));
  const json row = {{"graph", to_json(plan.graph)},
                    {"profiles", profiles},
                    {"settings", json::parse(plan.settings)},
                    {"verbosity", name_of(plan.verbosity)},
                    {"streamable_weights", plan.streamable_weights},
                    {"stripped_weights", plan.stripped_weights},
                    {"refittable", plan.is_refittable},
                    {"strongly_typed", plan.is_strongly_typed}};
  return first_line() + row.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Plan> parse_plan(std::string_view bytes) {
  if (!bytes.starts_with(first_line())) return std::nullopt;
  bytes.remove_prefix(first_line().size());
  try {
    const json row = json::parse(bytes);
    Plan plan;
    plan.graph = graph_of(row.at("graph"));
    for (const json& profile : row.at("profiles")) plan.profiles.push_back(profile_of(profile));
    plan.settings = row.at("settings").dump();
    plan.verbosity = named<nvinfer1::ProfilingVerbosity>(row.at("verbosity"));
    plan.streamable_weights = row.at("streamable_weights");
    plan.stripped_weights = row.at("stripped_weights");
    plan.is_refittable = row.at("refittable");
    plan.is_strongly_typed = row.at("strongly_typed");
    return plan;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<nvinfer1::Dims> profile_shape(const Plan& plan, int tensor, int profile, int selector) {
  if (profile < 0 || profile >= static_cast<int>(plan.profiles.size()) || !is_input(plan.graph, tensor)) return {};
  const GraphTensor& row = plan.graph.tensors[tensor];
  if (is_known(row.dims)) return row.dims;
  const auto found = plan.profiles[profile].shapes.find(row.name);
  if (found == plan.profiles[profile].shapes.end()) return {};
  return found->second.at(static_cast<std::size_t>(selector));
}

const std::vector<std::int64_t>* profile_values(const Plan& plan, int tensor, int profile, int selector) {
  if (profile < 0 || profile >= static_cast<int>(plan.profiles.size())) return nullptr;
  const auto& values = plan.profiles[profile].values;
  const auto found = values.find(plan.graph.tensors[tensor].name);
  return found == values.end() ? nullptr : &found->second.at(static_cast<std::size_t>(selector));
}

}  // namespace fake_tensorrt
