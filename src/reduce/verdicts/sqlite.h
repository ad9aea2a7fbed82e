// The little of SQLite that the journal needs, with its errors as values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace assay::reduce::sqlite {

// A result code of SQLite (sqlite3.h), and its words for it.
struct Failure {
  int code = 0;
  std::string text;
  // The file's content makes no sense: it was cut off, overwritten, or is no database.
  [[nodiscard]] bool damaged() const;
  // "ACTION: another process is using it (in PATH). Wait until ...".
  [[nodiscard]] base::Error error(std::string_view action, const std::filesystem::path& path) const;
};

template <class T>
using Result = tl::expected<T, Failure>;

// A prepared statement. Values are copied in, and read of the row at which it stands.
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // Parameters count from 1.
  void bind(int parameter, std::string_view bytes);  // as a BLOB
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  // To the next row; false after the last.
  Result<bool> step();
  // Ready to be bound and run again.
  void reset();

  // Columns count from 0.
  [[nodiscard]] std::string bytes(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // Makes the file where there is none, and reads nothing yet. The first statement that does locks out all other
  // processes, for as long as it is open.
  static Result<Database> open(const std::filesystem::path& path);

  Result<Statement> prepare(std::string_view sql);
  // One or more statements; rows are not looked at.
  Result<void> execute(const std::string& sql);
  // The first column of the first row.
  Result<std::int64_t> integer(std::string_view sql);
  Result<std::string> text(std::string_view sql);

  void close() { database_.reset(); }
  [[nodiscard]] bool read_only() const;
  // Leaves the files as they are when it closes: what the write-ahead log holds stays there.
  void keep_log(bool keep = true);
  // Before the first statement on a damaged file: takes what can be read, and changes nothing.
  void read_what_is_left();

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Database(sqlite3* database) : database_(database) {}
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace assay::reduce::sqlite
