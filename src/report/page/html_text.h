// Formats text as HTML. Everything that comes from a model, a file or a command line goes through escape(), also in
// attributes.
#pragma once

#include <string>
#include <string_view>

#include "report/page/page.h"

namespace assay::report {

// Returns the text with & < > " ' as character references.
std::string escape(std::string_view text);

// A mark as a symbol, a word and the name of its class in the style sheet.
struct MarkText {
  std::string_view symbol, word, style;
};
MarkText mark_text(Mark mark);

// Returns a table with its title as caption, in a frame that scrolls if the table is wider than the page.
std::string html_table(const PageTable& table);

// Returns "12 ms", "3.4 s" or "2 min 5 s"; an empty string if the time wasn't measured.
std::string seconds_text(double seconds);

}  // namespace assay::report
