// The commands. Each is a class, and one of these functions at the end of its file creates it.
#pragma once

#include <memory>

#include "cli/context/command.h"

namespace assay::cli {

std::unique_ptr<Command> make_check_accuracy();
std::unique_ptr<Command> make_check_lint();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_data_concat();
std::unique_ptr<Command> make_data_merge();
std::unique_ptr<Command> make_debug_build();
std::unique_ptr<Command> make_debug_locate();
std::unique_ptr<Command> make_debug_optimizers();
std::unique_ptr<Command> make_debug_precision();
std::unique_ptr<Command> make_debug_reduce();
std::unique_ptr<Command> make_debug_repeat();
std::unique_ptr<Command> make_debug_versions();
std::unique_ptr<Command> make_diagnose();
std::unique_ptr<Command> make_diff();
std::unique_ptr<Command> make_inspect_capability();
std::unique_ptr<Command> make_inspect_data();
std::unique_ptr<Command> make_inspect_diff_tactics();
std::unique_ptr<Command> make_inspect_model();
std::unique_ptr<Command> make_inspect_sparsity();
std::unique_ptr<Command> make_inspect_tactics();
std::unique_ptr<Command> make_multi_device_shard();
std::unique_ptr<Command> make_plugin_autotune();
std::unique_ptr<Command> make_plugin_list();
std::unique_ptr<Command> make_plugin_match();
std::unique_ptr<Command> make_plugin_replace();
std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_surgeon_extract();
std::unique_ptr<Command> make_surgeon_insert();
std::unique_ptr<Command> make_surgeon_prune();
std::unique_ptr<Command> make_surgeon_sanitize();
std::unique_ptr<Command> make_surgeon_weight_reconstruct();
std::unique_ptr<Command> make_surgeon_weight_strip();
std::unique_ptr<Command> make_template_onnx_gs();
std::unique_ptr<Command> make_template_shard_hints();
std::unique_ptr<Command> make_template_trt_config();
std::unique_ptr<Command> make_template_trt_network();

}  // namespace assay::cli
