#include "report/page/page.h"

#include <fmt/format.h>

#include "base/files.h"

namespace assay::report {

std::string to_html(const Page& page) {
  std::string escaped;
  for (const char letter : page.title + ": " + page.verdict) {
    if (letter == '<') {
      escaped += "&lt;";
    } else if (letter == '&') {
      escaped += "&amp;";
    } else {
      escaped += letter;
    }
  }
  return fmt::format("<!doctype html><meta charset=utf-8><p>{}</p>\n", escaped);
}

base::Status write_page(const Page& page, const std::filesystem::path& path) {
  return base::write_file(path, to_html(page));
}

}  // namespace assay::report
