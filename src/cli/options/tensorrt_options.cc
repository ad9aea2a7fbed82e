#include "cli/options/tensorrt_options.h"

namespace assay::cli {

void TensorRtOptions::add_to(CLI::App& app, std::span<const tensorrt::Setting> settings, const std::string& group) {
  for (const tensorrt::Setting& setting : settings) {
    const std::string flags(setting.flags);
    const std::string name(setting.name());
    CLI::Option* option = nullptr;
    if (!setting.takes_value()) {
      option = app.add_flag_callback(
          flags, [this, name] { given_.add(name, {}); }, std::string(setting.help));
    } else {
      const bool many = setting.form == tensorrt::Setting::Form::words;
      const bool none = setting.form == tensorrt::Setting::Form::choices;
      // Called for each occurrence of the option, with its words; an option without words has an empty one.
      const auto add = [this, name](const tensorrt::Words& words) {
        given_.add(name, words == tensorrt::Words{""} ? tensorrt::Words{} : words);
      };
      option = app.add_option_function<tensorrt::Words>(flags, add, std::string(setting.help));
      option->trigger_on_parse()->option_text(std::string(setting.placeholder));
      option->expected(none ? 0 : 1, many || none ? -1 : 1);
    }
    option->group(group);
  }
}

}  // namespace assay::cli
