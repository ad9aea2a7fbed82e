#include "reduce/verdicts/sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace assay::reduce::sqlite {

namespace {

constexpr int kPatience = 1000;  // milliseconds: a killed process may still be exiting

Failure failure_of(sqlite3* database, int code) {
  Failure failure{code & 0xFF, sqlite3_errmsg(database)};
  const int system = sqlite3_system_errno(database);
  if (system != 0 && (failure.code == SQLITE_IOERR || failure.code == SQLITE_CANTOPEN)) {
    failure.text += ": " + std::generic_category().message(system);
  }
  return failure;
}

// If SQLite can't write a file, it tries to read it and reports why that failed. This finds the reason for the first
// failure.
Failure cannot_open(sqlite3* database, const std::filesystem::path& path) {
  Failure failure = failure_of(database, SQLITE_CANTOPEN);
  std::error_code ignored;
  const std::filesystem::path written = std::filesystem::exists(path, ignored) ? path : path.parent_path();
  if (::access(written.c_str(), W_OK) != 0) failure.text = std::generic_category().message(errno);
  return failure;
}

}  // namespace

bool Failure::damaged() const {
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool Failure::busy() const {
  return code == SQLITE_BUSY;
}

base::Error Failure::error(std::string_view action, const std::filesystem::path& path) const {
  base::Error error{base::ErrorKind::io, std::string(action) + ": " + text, path.string(), {}};
  switch (code) {
    case SQLITE_BUSY:
      error.what = std::string(action) + ": another process is using it";
      error.fix = "Wait until it has exited, or name another file";
      break;
    case SQLITE_FULL:
      error.fix = "Free some space on that disk; what was stored before isn't lost";
      break;
    case SQLITE_IOERR:
      error.fix = "Check the disk and the limit on the size of files (ulimit -f), or name another file";
      break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      error.fix = "Check the permissions of the file and of its folder, or name another file";
      break;
    default:
      break;
  }
  return error;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(int parameter, std::string_view bytes) {
  // A null pointer would bind NULL.
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

void Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
}

void Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter, value);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return tl::unexpected(failure_of(sqlite3_db_handle(statement_.get()), code));
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::string Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Result<Database> Database::open(const std::filesystem::path& path) {
  sqlite3* handle = nullptr;
  // An absolute path can't be mistaken for one of SQLite's special names (":memory:", "file:...").
  std::error_code ignored;
  const std::string name = std::filesystem::absolute(path, ignored).string();
  const int code = sqlite3_open_v2(name.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(handle);
  if (handle == nullptr) return tl::unexpected(Failure{SQLITE_NOMEM, sqlite3_errstr(SQLITE_NOMEM)});
  if (code == SQLITE_CANTOPEN) return tl::unexpected(cannot_open(handle, name));
  if (code != SQLITE_OK) return tl::unexpected(failure_of(handle, code));
  sqlite3_busy_timeout(handle, kPatience);
  ASSAY_TRY(database.execute("PRAGMA locking_mode = EXCLUSIVE"));
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(failure_of(database_.get(), code));
  return Statement(statement);
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(failure_of(database_.get(), code));
  return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) {
  ASSAY_ASSIGN(Statement statement, prepare(sql));
  ASSAY_ASSIGN(const bool has_row, statement.step());
  return has_row ? statement.integer(0) : 0;
}

Result<std::string> Database::text(std::string_view sql) {
  ASSAY_ASSIGN(Statement statement, prepare(sql));
  ASSAY_ASSIGN(const bool has_row, statement.step());
  return has_row ? statement.bytes(0) : std::string();
}

bool Database::read_only() const {
  return sqlite3_db_readonly(database_.get(), "main") == 1;
}

void Database::keep_log(bool keep) {
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
}

}  // namespace assay::reduce::sqlite
