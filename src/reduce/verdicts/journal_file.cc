// A journal is distinguished from other people's files by its application_id, and is used only if SQLite finds no
// damage in it.
//
// Durability is SQLite's write-ahead log with synchronous = FULL: a commit is in the synced log when it returns. The
// log's frames carry checksums, so a truncated log counts up to its last intact frame; the file itself is written at
// checkpoints.
#include "reduce/verdicts/journal_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <system_error>

namespace assay::reduce {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;
using sqlite::Database;

namespace {

constexpr std::uint32_t kApplicationId = 0x41737379;  // "Assy"
constexpr int kVersion = 2;
constexpr const char* kSchema =
    "CREATE TABLE verdicts (identity BLOB NOT NULL, candidate BLOB NOT NULL, kind BLOB NOT NULL, text BLOB NOT NULL, "
    "output BLOB NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (identity, candidate))";

constexpr const char* kCannotOpen = "cannot open the journal of verdicts";
constexpr const char* kNameAnother = "Name another file for the journal, or remove this one if you don't need it";

enum class State { empty, journal, of_another_version, damaged_or_foreign };

sqlite::Result<State> look(Database& database) {
  ASSAY_ASSIGN(const std::int64_t pages, database.integer("PRAGMA page_count"));
  if (pages == 0) return State::empty;
  ASSAY_ASSIGN(const std::int64_t id, database.integer("PRAGMA application_id"));
  if (id != kApplicationId) return State::damaged_or_foreign;
  ASSAY_ASSIGN(const std::int64_t version, database.integer("PRAGMA user_version"));
  if (version != kVersion) return State::of_another_version;
  ASSAY_ASSIGN(const std::string schema, database.text("SELECT group_concat(sql) FROM sqlite_schema"));
  if (schema != kSchema) return State::damaged_or_foreign;
  ASSAY_ASSIGN(const std::string check, database.text("PRAGMA integrity_check(1)"));
  return check == "ok" ? State::journal : State::damaged_or_foreign;
}

base::Status refuse_other_things(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status) || fs::is_regular_file(status)) return {};
  return fail(
      ErrorKind::invalid_input,
      fmt::format("{}: {}", kCannotOpen, fs::is_directory(status) ? "it is a folder" : "it isn't a regular file"),
      path.string(), "Name another file for the journal");
}

sqlite::Result<void> create(Database& database) {
  return database.execute(fmt::format("BEGIN; PRAGMA application_id = {}; PRAGMA user_version = {}; {}; COMMIT",
                                      kApplicationId, kVersion, kSchema));
}

base::Status check(const sqlite::Result<State>& state, const fs::path& path) {
  if (!state && !state.error().damaged()) return fail(state.error().error(kCannotOpen, path));
  if (!state || *state == State::damaged_or_foreign) {
    return fail(ErrorKind::invalid_input, "the file is not a journal of verdicts, or is damaged", path.string(),
                kNameAnother);
  }
  if (*state == State::of_another_version) {
    return fail(ErrorKind::invalid_input, "the journal of verdicts was made by another version of Assay", path.string(),
                kNameAnother);
  }
  return {};
}

}  // namespace

base::Expected<Database> open_journal_file(const fs::path& path) {
  ASSAY_TRY(refuse_other_things(path));
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  const bool is_new = !fs::exists(path, code);
  auto database = Database::open(path);
  if (!database) return fail(database.error().error(kCannotOpen, path));
  if (database->read_only()) {
    return fail(ErrorKind::io, fmt::format("{}: it is read-only", kCannotOpen), path.string(),
                "Check the permissions of the file and of its folder, or name another file");
  }
  database->keep_log();  // until it is certain that the file is a journal
  const auto state = look(*database);
  ASSAY_TRY(check(state, path));
  auto ready = *state == State::empty ? create(*database) : sqlite::Result<void>();
  database->keep_log(false);
  if (ready) ready = database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (ready) return *std::move(database);
  // An empty file of no use, unless another run has created it at the same moment and uses it.
  if (is_new && !ready.error().busy()) fs::remove(path, code);
  return fail(ready.error().error(kCannotOpen, path));
}

}  // namespace assay::reduce
