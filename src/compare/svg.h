// Writes the small part of SVG that the pictures need, as text.
#pragma once

#include <string>
#include <string_view>

namespace assay::compare {

class Svg {
 public:
  Svg(double width, double height);

  // Colours are in SVG's notation: "#rrggbb", "none".
  void rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view stroke);
  void line(double x1, double y1, double x2, double y2, std::string_view stroke);
  void path(std::string_view commands, std::string_view fill);
  // `x` is the left end of the text, `y` its base line.
  void text(double x, double y, std::string_view text, double size = 12);

  std::string finish();

 private:
  std::string text_;
};

}  // namespace assay::compare
