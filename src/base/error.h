// What can go wrong because of a user, a file or an engine, as a value.
//
// A function that can fail for such a reason returns Expected<T> (or Status where it gives nothing back). Bugs of our
// own are assertions, not Errors. Nothing below src/cli prints, exits or throws; the edges of libraries that throw
// (onnx, nlohmann-json, std::filesystem) catch and return an Error.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace assay::base {

// Decides the exit status and whether a caller may go on: the text is for people, the kind is for code.
enum class ErrorKind {
  invalid_input,  // a file, an option or a value that makes no sense
  not_found,      // a file, tensor, node, command or engine that is not there
  io,             // the operating system refused: full disk, read-only folder, ...
  unsupported,    // a known thing that this build, engine or version cannot do
  engine,         // an engine failed, crashed, hung or ran out of memory
  interrupted,    // the user stopped us (exit status 130)
};

struct Error {
  ErrorKind kind = ErrorKind::invalid_input;
  std::string what;   // what went wrong, one sentence without a full stop
  std::string where;  // file, node, tensor or option; may be empty
  std::string fix;    // what to do next; may be empty

  // "WHAT (in WHERE). FIX." as one line of text.
  [[nodiscard]] std::string message() const;

  // The same error, seen from further out: "WHERE: inner where".
  [[nodiscard]] Error within(std::string_view outer) &&;
};

template <class T>
using Expected = tl::expected<T, Error>;
using Status = Expected<void>;

// return fail(ErrorKind::io, "cannot write", path, "free some space");
inline tl::unexpected<Error> fail(ErrorKind kind, std::string what, std::string where = {}, std::string fix = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(what), std::move(where), std::move(fix)});
}

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// Error of the last failed system call, with errno's text: "cannot open: No such file or directory".
// errno values that mean "not there" become ErrorKind::not_found, all others ErrorKind::io.
Error system_error(std::string_view action, std::string where, int error_number);

}  // namespace assay::base

#define ASSAY_CONCAT_INNER(a, b) a##b
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_INNER(a, b)

// ASSAY_TRY(status_expression): returns the error to the caller.
#define ASSAY_TRY(expression)                                        \
  do {                                                               \
    if (auto assay_status = (expression); !assay_status) {           \
      return ::tl::make_unexpected(std::move(assay_status).error()); \
    }                                                                \
  } while (false)

// ASSAY_ASSIGN(auto value, expected_expression): the value, or returns the error to the caller.
#define ASSAY_ASSIGN(declaration, expression) \
  ASSAY_ASSIGN_IMPL(ASSAY_CONCAT(assay_expected_, __LINE__), declaration, expression)
#define ASSAY_ASSIGN_IMPL(temporary, declaration, expression)                 \
  auto temporary = (expression);                                              \
  if (!temporary) return ::tl::make_unexpected(std::move(temporary).error()); \
  declaration = std::move(*temporary)
