#include "cli/options/script_file.h"

#include <system_error>

#include "base/files.h"

namespace assay::cli {

namespace fs = std::filesystem;

CLI::Option* ScriptFile::add_to(CLI::App& app, const std::string& names, const std::string& help) {
  return app.add_option(names, path_, help)->option_text("FILE");
}

base::Status ScriptFile::save(std::string_view text, std::string_view what, std::string_view hint,
                              const std::vector<OptionPath>& read, Context& context) const {
  if (prints()) {
    context.out << text;
    return {};
  }
  ASSAY_TRY(check_paths({{option_, path_.string()}}, read));
  ASSAY_TRY(base::write_file(path_, text));
  std::error_code ignored;  // not all file systems have such permissions
  if (fs::is_regular_file(path_, ignored)) {
    fs::permissions(path_, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, ignored);
  }
  context.log.info("Saved the {} to {}. {}", what, path_.string(), hint);
  return {};
}

}  // namespace assay::cli
