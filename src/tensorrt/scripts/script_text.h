// The parts of this room's scripts: values in Python's notation, the statements of a function, and the helpers that
// statements may call.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tensorrt/parse_values.h"

namespace assay::tensorrt {

// Returns a list of strings: "['a', 'b']".
std::string quoted(const std::vector<std::string>& texts);
// Returns a list of enumerators: "[trt.LayerType.CONVOLUTION]".
std::string enumerators(std::string_view type, const std::vector<std::string>& names);
// Returns a call of the user's function.
std::string call(const Script& script, std::string_view arguments);

// The statements of a function.
class ScriptBody {
 public:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += "    " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Returns the script up to its main function, which has this body: what it is, its imports, and the helpers that the
// body calls. `needs_10`: of a plan; unless it is empty, the script fails with TensorRT 11 before it refers to anything
// that TensorRT 11 lacks.
std::string begin_script(std::string_view what, const std::string& body, const std::string& needs_10);

}  // namespace assay::tensorrt
