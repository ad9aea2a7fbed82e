// Serves one web page on this machine.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "base/stop.h"

namespace assay::inspect {

// Answers HTTP requests to 127.0.0.1 with the page until a stop is requested: those for "/" whose host is this machine.
// `port` 0 takes a free one; `ready` is called with the port once requests are accepted. Errors: io if the port is
// taken or not allowed.
base::Status serve_page(const std::string& html, int port, const base::Stop& stop,
                        const std::function<void(int port)>& ready);

}  // namespace assay::inspect
