// The network that a user asks for, as data: what the parser reads, and what is changed in it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tensorrt/given_settings.h"
#include "tensorrt/parse_values.h"

namespace assay::tensorrt {

// Values by name or pattern, in the order given: a later one overrides those before it.
template <class Value>
using ByPattern = std::vector<std::pair<std::string, Value>>;

struct NetworkPlan {
  std::string model;  // file that the parser reads; empty: the network is empty
  // If `model` is a copy in another folder: the path of the original, to which external data are relative. Scripts
  // pass it to the parser. May be empty.
  std::string parsed_as;
  // The words of a command that writes the model that the parser of a script reads instead, to the path after "-o",
  // which the script adds. Empty: the parser reads `model`.
  std::vector<std::string> convert;
  std::optional<Script> begin;  // returns the builder and the network, instead of the parser
  bool strongly_typed = false;
  std::vector<std::string> parser_flags;          // of OnnxParserFlag, to be set
  std::vector<std::string> cleared_parser_flags;  // likewise, to be cleared
  std::vector<std::string> plugins;               // libraries
  std::vector<Script> changes;                    // before everything below
  std::vector<std::string> outputs;               // names or patterns
  std::vector<std::string> excluded_outputs;      // names or patterns
  std::vector<std::string> output_types;          // of LayerType
  // The exact names of the outputs that remain after all that; nullopt: all of them. Types and formats of the others
  // have no effect.
  std::optional<std::vector<std::string>> kept_outputs;
  ByPattern<std::string> layer_precisions;                      // types by layer
  std::optional<std::string> usual_tensor_type;                 // of inputs and outputs that aren't named below
  ByPattern<std::string> tensor_types;                          // by input or output
  std::optional<std::vector<std::string>> usual_tensor_format;  // likewise, of TensorFormat
  ByPattern<std::vector<std::string>> tensor_formats;           // by input or output
  std::vector<std::string> debug_tensors;                       // names or patterns
  bool marks_unfused = false;                                   // marks all tensors that aren't fused for debugging
  bool decomposes_attention = false;
  std::string needs_10;  // why TensorRT 11 can't make this network: removed_in_11(); empty: it can
};

// Returns the network that the settings describe. `model`: as NetworkPlan::model. Errors: invalid_input if a value
// isn't one of TensorRT's, or settings can't be combined.
base::Expected<NetworkPlan> plan_network(const GivenSettings& given, const std::string& model);

// Returns the network that a function of the user makes, changed as the settings say. Errors: those of plan_network();
// invalid_input for settings that only say how TensorRT's parser makes a network.
base::Expected<NetworkPlan> plan_scripted_network(const GivenSettings& given, Script script);

}  // namespace assay::tensorrt
