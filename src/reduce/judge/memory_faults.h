// Recognises checks that a memory fault ended: a program used memory that isn't its own, or found its heap damaged.
//
// The same defect ends a program by SIGSEGV, by SIGBUS, or by SIGABRT with a message of glibc's allocator: it depends
// on what happens to be at an address, which differs between candidates and even between runs. So these count as one
// failure. Two crashes by SIGSEGV do anyway, wherever they occur.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

// `ending`, here and below: Signature::ending, "crashed with signal 11 (Segmentation fault)" or, as shells report a
// program that they ran, "exit status 139". `output`: of the check.
bool ended_by_memory_fault(std::string_view ending, std::string_view output);

// Returns whether a check that ended normally reports such an end of another program, e.g. of a worker of `assay run`.
// `classes`: Signature::classes.
bool reports_memory_fault(const std::vector<std::string>& classes, std::string_view output);

// Return them without the signal, for a signature of a memory fault: equal for all memory faults.
std::string without_memory_signal(const std::string& ending);
std::vector<std::string> without_memory_signals(std::vector<std::string> classes);

}  // namespace assay::reduce
