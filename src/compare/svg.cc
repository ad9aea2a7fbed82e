#include "compare/svg.h"

#include <fmt/format.h>

namespace assay::compare {
namespace {

// Tensor names may hold any character; those that XML forbids are replaced by a question mark.
std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return escaped;
}

}  // namespace

Svg::Svg(double width, double height) {
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height);
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view stroke) {
  text_ += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\" stroke=\"{}\"/>\n", x, y,
                       width, height, fill, stroke);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke) {
  text_ +=
      fmt::format("<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, stroke);
}

void Svg::path(std::string_view commands, std::string_view fill) {
  text_ += fmt::format("<path d=\"{}\" fill=\"{}\"/>\n", commands, fill);
}

void Svg::text(double x, double y, std::string_view text, double size) {
  text_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\">{}</text>\n", x, y, size, escape(text));
}

std::string Svg::finish() {
  return text_ + "</svg>\n";
}

}  // namespace assay::compare
