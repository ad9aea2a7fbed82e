// Opens the user's browser.
#pragma once

#include <string>

namespace assay::cli {

// Asks the desktop to show a web page. The browser is a session of its own, which outlives Assay. Does nothing if the
// machine has no xdg-open: the caller has told the user the address.
void open_in_browser(const std::string& address);

}  // namespace assay::cli
