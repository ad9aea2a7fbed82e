// TensorRT's settings, one row each: an option, and what it sets in TensorRT. Commands that can use them take their
// options from these rows, and all others refuse the same options.
//
// Source: the Python and C++ API of TensorRT 10 and 11 (IBuilderConfig, INetworkDefinition, IParser); options as
// Polygraphy has them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace assay::tensorrt {

struct Setting {
  enum class Form {
    flag,     // no value
    number,   // a whole number
    choice,   // an enumerator
    choices,  // enumerators, or none
    words,    // one or more words, interpreted by the plan
    word,     // one word, interpreted by the plan
  };
  std::string_view flags;  // in CLI11's form: "--pool-limit,--memory-pool-limit"
  Form form;
  std::string_view placeholder{};  // of the value, for the help: "LEVEL"
  std::string_view help;
  // The enumerator of BuilderFlag, or the property or function of TensorRT's object, that the option sets. Empty if a
  // plan has a rule of its own for it.
  std::string_view member{};
  std::string_view type{};  // the enumeration of choices: "TacticSource"
  bool default_on = false;  // a flag that TensorRT sets by itself: it is cleared without the option
  // If TensorRT 11 no longer has the setting: what to do instead, as a sentence. Otherwise empty.
  std::string_view instead_in_11{};

  // Returns the first spelling, with which plans refer to the setting.
  [[nodiscard]] std::string_view name() const { return flags.substr(0, flags.find(',')); }
  [[nodiscard]] bool takes_value() const { return form != Form::flag; }
  // Returns whether each word is for one name, as in NAME:SHAPE.
  [[nodiscard]] bool has_names() const {
    return placeholder.find(':') != std::string_view::npos && placeholder.find("[:") == std::string_view::npos;
  }
};

std::span<const Setting> config_settings();   // how an engine is built
std::span<const Setting> network_settings();  // the network: outputs, types, formats
std::span<const Setting> parser_settings();   // how the parser reads ONNX
std::span<const Setting> plugin_settings();
std::span<const Setting> engine_settings();              // of engines that exist or are being saved
std::vector<std::span<const Setting>> all_settings();    // these groups
std::vector<std::span<const Setting>> build_settings();  // those that don't concern how an engine is run

}  // namespace assay::tensorrt
