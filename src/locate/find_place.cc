#include "locate/find_place.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/list_first.h"
#include "locate/engine_probe.h"
#include "locate/layers.h"
#include "locate/rank_births.h"
#include "locate/save_piece.h"

namespace assay::locate {
namespace {

constexpr std::size_t kMostNamed = 5;  // nodes, in a note

SideModels models_of(const PlaceTask& task) {
  SideModels models{.first = {task.sides.first(), task.unchanged.first_feeds},
                    .second = std::nullopt,
                    .first_is_good = task.sides.first_is_good()};
  if (task.sides.pair().has_two_engines()) {
    models.second.emplace(SideModel{task.sides.second(), task.unchanged.second_feeds});
  }
  if (task.input.float16 != nullptr) {
    models.float16 = task.input.has_limited_weights() ? Float16Version::with_limited_weights : Float16Version::usual;
  }
  return models;
}

class Finder {
 public:
  Finder(const PlaceTask& task, Location& location)
      : task_(task),
        location_(location),
        probe_({.pair = pair(),
                .skeleton = task.sides.skeleton(),
                .named = task.sides.named(),
                .models = models_of(task),
                .plan = task.options.plan,
                .ledger = task.ledger,
                .log = task.log,
                .memory_budget = task.options.memory_budget,
                .watch = task.options.watch},
               task.unchanged.answers) {}

  base::Expected<std::optional<std::size_t>> run(const std::vector<CellId>& differing);

 private:
  base::Expected<Finding> search_cells(const std::vector<CellId>& differing);
  void describe_finding();
  base::Status choose_worst();
  base::Status check_only_place();
  base::Status add_piece();
  base::Status save(const Question& piece);

  // Returns the runs left except for the one that verifies the saved piece.
  [[nodiscard]] int runs_to_spare() const { return task_.ledger.left() - reserved_runs(); }
  [[nodiscard]] int reserved_runs() const { return task_.options.output.empty() ? 0 : 1; }
  [[nodiscard]] NamedModel answer() const { return {.model = task_.input.model, .skeleton = task_.sides.skeleton()}; }
  [[nodiscard]] Pair& pair() const { return task_.sides.pair(); }

  const PlaceTask& task_;
  Location& location_;
  EngineProbe probe_;
};

base::Expected<std::optional<std::size_t>> Finder::run(const std::vector<CellId>& differing) {
  auto finding = search_cells(differing);
  if (!finding && probe_.random_engine()) return probe_.random_engine();
  if (!finding) return tl::make_unexpected(std::move(finding).error());
  if (finding->first < 0) {
    location_.notes.push_back(describe_insides(finding->in_model));
    if (std::string note = note_on_hidden_insides(task_.input.model); !note.empty()) {
      location_.notes.push_back(std::move(note));
    }
    return std::nullopt;
  }
  location_.finding = *std::move(finding);
  if (location_.outcome == Location::Outcome::agree) location_.outcome = Location::Outcome::differ;
  describe_finding();
  const bool all_compared = location_.finding.way == Way::all_at_once || location_.finding.way == Way::windows;
  ASSAY_TRY(all_compared ? choose_worst() : check_only_place());
  ASSAY_TRY(add_piece());
  return std::nullopt;
}

base::Expected<Finding> Finder::search_cells(const std::vector<CellId>& differing) {
  return search(task_.sides.skeleton().graph, differing, probe_,
                {.memory_budget = task_.options.memory_budget,
                 .reserved_runs = reserved_runs(),
                 .trust_marks = !task_.rounds,
                 .outputs_agree = location_.outcome == Location::Outcome::agree});
}

void Finder::describe_finding() {
  const CellId first = location_.finding.first;
  SeenLayers seen = layers_of(answer(), probe_.seen(), first);
  location_.layers = std::move(seen.layers);
  location_.grew_earlier = std::move(seen.grew_earlier);
  NamedTensor tensor = tensor_of(answer(), probe_.seen(), first);
  location_.first_tensor = std::move(tensor.layer);
  location_.in_piece = std::move(tensor.in_piece);
  location_.worst_tensor = location_.first_tensor;
  location_.refusal = probe_.refusal();
  std::vector<CellId> earlier;
  std::ranges::copy_if(location_.finding.not_alone, std::back_inserter(earlier),
                       [&](CellId cell) { return cell < first; });
  if (earlier.empty()) return;
  location_.notes.push_back("Differences may be born earlier, at nodes that an engine refuses by themselves: " +
                            base::list_first(describe_cells(answer(), earlier), kMostNamed, ", "));
}

base::Status Finder::choose_worst() {
  Finding& finding = location_.finding;
  // Only births seen in runs of single nodes can be ranked.
  if (!finding.confirmed || finding.piece.size() != 1 || pair().is_itself()) return {};
  ASSAY_ASSIGN(const RankedBirths ranked, rank_births(finding.alone, location_.outputs, runs_to_spare(), probe_));
  if (ranked.worst < 0) return {};
  finding.piece = {ranked.worst};
  location_.worst_tensor = tensor_of(answer(), probe_.seen(), ranked.worst).layer;
  location_.worst_tensor.share = ranked.share_of(ranked.worst);
  location_.first_tensor.share = ranked.share_of(finding.first);
  return {};
}

base::Status Finder::check_only_place() {
  if (!location_.finding.confirmed || pair().is_itself() || runs_to_spare() <= 0) return {};
  ASSAY_ASSIGN(const auto readings, probe_.outputs_without(location_.finding.piece));
  if (readings && !readings->empty()) location_.only_place = std::ranges::none_of(*readings, &Reading::differs);
  return {};
}

base::Status Finder::add_piece() {
  const Finding& finding = location_.finding;
  const model::NodeId last = task_.sides.skeleton().nodes[static_cast<std::size_t>(finding.piece.back())];
  for (std::string& note : notes_on_insides(task_.input.model, last)) location_.notes.push_back(std::move(note));
  const auto piece = probe_.prepare_piece(finding.piece);
  if (!piece && piece.error().kind != base::ErrorKind::interrupted) {
    location_.notes.push_back("The piece can't be built: " + piece.error().message());
    return {};
  }
  if (!piece) {
    location_.piece = describe_cells(answer(), finding.piece);
    location_.has_inner_nodes = location_.piece.size() > 1;
    return {};
  }
  const bool second_is_named = task_.input.float16 != nullptr && piece->second;
  const Part& part = second_is_named ? piece->second->part : piece->first.part;
  location_.piece = describe_nodes(part, task_.sides.named());
  const auto counts = [](const onnx::NodeProto& node) {
    return node.op_type() != "Cast" && node.op_type() != "Constant";
  };
  location_.has_inner_nodes = std::ranges::count_if(part.model.graph().node(), counts) > 1;
  return task_.options.output.empty() ? base::Status() : save(*piece);
}

base::Status Finder::save(const Question& piece) {
  PieceFiles files =
      name_files(task_.options.output, task_.options.inputs,
                 {.two_models = task_.sides.run_two_models(), .saved_results = pair().golden() != nullptr});
  if (!pair().has_two_engines()) files.against.clear();
  if (pair().is_itself()) files.golden.clear();
  ASSAY_ASSIGN(const PieceValues values,
               values_of(location_.finding.piece, piece.names, task_.sides.skeleton(), probe_.fetcher()));
  if (const base::Status saved = save_piece(piece, values, files, task_.options.save, task_.log); !saved) {
    // The user needs the answer most of all, so it is shown.
    location_.notes.push_back("The piece wasn't saved: " + saved.error().message());
    return {};
  }
  location_.model_file = files.model;
  location_.against_file = files.against;
  location_.inputs_file = files.inputs;
  location_.golden_file = files.golden;
  if (task_.ledger.left() <= 0) return {};
  task_.ledger.announce_run("the saved piece, in fresh sessions", task_.log);
  const base::Expected<bool> differs = verify_piece(piece, files, pair(), task_.options.plan);
  if (differs) {
    location_.verified = *differs;
    return {};
  }
  if (task_.ledger.note_if_stopped(differs.error())) return {};
  if (differs.error().kind == base::ErrorKind::engine) {
    location_.notes.push_back("An engine fails on the saved piece: " + differs.error().message());
    location_.refuses_saved = true;
    return {};
  }
  location_.notes.push_back("The piece can't be loaded from where it was saved: " + differs.error().message());
  for (std::filesystem::path* file :
       {&location_.model_file, &location_.against_file, &location_.inputs_file, &location_.golden_file}) {
    file->clear();
  }
  return {};
}

}  // namespace

base::Expected<std::optional<std::size_t>> find_place(const PlaceTask& task, const std::vector<CellId>& differing,
                                                      Location& location) {
  return Finder(task, location).run(differing);
}

}  // namespace assay::locate
