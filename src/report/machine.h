// What this machine is, as a bug report tells it. No names of hosts or users.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::report {

// {"Operating system", "Debian GNU/Linux 12"}, {"Kernel", "Linux 6.1.0 x86_64"}, {"CPU", "...; 8 threads; avx2 ..."},
// {"Memory", "31.2 GiB"}. What cannot be found out is left out.
std::vector<std::pair<std::string, std::string>> describe_machine();

}  // namespace assay::report
