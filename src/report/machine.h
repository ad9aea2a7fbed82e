// Describes this machine for a bug report, without names of hosts or users.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::report {

// Returns pairs such as {"Operating system", "Debian GNU/Linux 12"}, {"Kernel", "Linux 6.1.0 x86_64"}, {"CPU", "...; 8
// threads; avx2 ..."}, {"Memory", "31.2 GiB"}. Facts that can't be determined are left out.
std::vector<std::pair<std::string, std::string>> describe_machine();

}  // namespace assay::report
