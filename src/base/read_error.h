// Describes errors of system calls that read. Its advice is about reading; system_error() gives advice about writing.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace assay::base {

// Describes a failed system call like system_error(): "cannot open: Permission denied". ENOENT and ENOTDIR become
// ErrorKind::not_found, all others ErrorKind::io.
Error read_error(std::string_view action, std::string where, int error_number);

}  // namespace assay::base
