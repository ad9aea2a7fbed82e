"""The commands of Polygraphy's guides and examples that need no TensorRT, on models of our own.

A guide is a list of command lines that follow each other in one folder. An engine that the guide compares with TensorRT
is compared with itself here."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Guide:
    name: str
    commands: tuple
    needs: str = ""  # a Python module without which Polygraphy can't do it
    by_structure: bool = False  # the programs may choose other names inside models, and another order of nodes


# Files that are there before the first command.
FILES = {
    "data_loader.py": """
import numpy as np

def load_data():
    for number in range(3):
        yield {"x": np.full((1, 2, 4, 4), number - 1, np.float32)}
""",
    "replay.json": """{
 "replay": {"copy": {"implementation": 2147483661, "tactic": 3,
   "inputs": [{"dtype": "FLOAT", "strides": [4, 4, 2, 1], "vectorized_dim": -1, "components_per_element": 1,
               "polygraphy_class": "TensorInfo"}],
   "outputs": [{"dtype": "FLOAT", "strides": [4, 4, 2, 1], "vectorized_dim": -1, "components_per_element": 1,
                "polygraphy_class": "TensorInfo"}],
   "polygraphy_class": "Algorithm"}},
 "polygraphy_class": "TacticReplayData"
}
""",
    "plugins/diamond/pattern.py": """
import onnx_graphsurgeon as gs

def get_plugin_pattern():
    pattern = gs.GraphPattern()
    first, second = pattern.variable(), pattern.variable()
    a = pattern.add("a", "A", inputs=[first])
    b = pattern.add("b", "B", inputs=[second])
    c = pattern.add("c", "C", inputs=[a, b], check_func=lambda node: node.attrs["x"] < 2)
    pattern.set_output_tensors([pattern.add("d", "D", inputs=[c])])
    return pattern

def get_matching_subgraphs(graph):
    return [
        {
            "inputs": sorted({tensor.name for tensor in match.inputs}),
            "outputs": sorted({tensor.name for tensor in match.outputs}),
            "attributes": {"twice": int(match.get("c").attrs["x"]) * 2},
        }
        for match in get_plugin_pattern().match_all(graph)
    ]

def get_plugin_metadata():
    return {"name": "diamond", "op": "Diamond"}
""",
}

GUIDES = (
    Guide("run: comparing frameworks", (
        "polygraphy run dynamic.onnx --onnxrt --onnxrt",
        "polygraphy run dynamic.onnx --onnxrt --onnxrt --input-shapes x:[1,2,4,4]",
        "polygraphy run dynamic.onnx --onnxrt --onnxrt --input-shapes x:[1,2,4,4] --atol 0.001 --rtol 0.001 "
        "--check-error-stat median",
    )),
    Guide("run: comparing across runs", (
        "polygraphy run copy.onnx --onnxrt --save-inputs inputs.json --save-outputs run_0_outputs.json",
        "polygraphy run copy.onnx --onnxrt --load-inputs inputs.json --load-outputs run_0_outputs.json",
        "polygraphy run copy.onnx --onnxrt --load-inputs inputs.json --load-outputs run_0_outputs.json --atol 0.001 "
        "--rtol 0.001 --check-error-stat median",
        "polygraphy run copy.onnx --onnxrt --seed 5 --load-outputs run_0_outputs.json",
    )),
    Guide("run: generating a comparison script", (
        "polygraphy run copy.onnx --onnxrt --onnxrt --gen-script=compare.py",
        "python3 compare.py",
    )),
    Guide("run: custom input data", (
        "polygraphy run dynamic.onnx --onnxrt --onnxrt --data-loader-script data_loader.py --save-inputs inputs.json "
        "--save-outputs outputs.json",
        "polygraphy run dynamic.onnx --onnxrt --load-inputs inputs.json --load-outputs outputs.json",
        "polygraphy run dynamic.onnx --onnxrt --data-loader-script data_loader.py:missing",
        "polygraphy run dynamic.onnx --onnxrt --load-inputs missing.json",
    )),
    Guide("run: custom output data", (
        "polygraphy run copy.onnx --onnxrt --save-inputs custom_inputs.json --save-outputs custom_outputs.json",
        "polygraphy inspect data custom_inputs.json",
        "polygraphy inspect data custom_outputs.json",
        "polygraphy run copy.onnx --onnxrt --load-inputs custom_inputs.json --load-outputs custom_outputs.json",
    )),
    Guide("run: checking for NaN and infinity", (
        "polygraphy run infinity.onnx --onnx-outputs mark all --onnxrt --validate",
        "polygraphy run copy.onnx --onnx-outputs mark all --onnxrt --validate",
    )),
    Guide("run: golden outputs for precision constraints", (
        "polygraphy run large_sums.onnx --onnxrt --val-range x:[1,2] --save-inputs inputs.json "
        "--save-outputs golden_outputs.json",
        "polygraphy run large_sums.onnx --onnxrt --load-inputs inputs.json --load-outputs golden_outputs.json "
        "--check-error-stat median",
    )),
    Guide("convert: a model to float16", (
        "polygraphy convert --fp-to-fp16 -o half.onnx copy.onnx",
        "polygraphy inspect model half.onnx",
        "polygraphy run --onnxrt copy.onnx --save-inputs inputs.json --save-outputs outputs_fp32.json",
        "polygraphy run --onnxrt half.onnx --load-inputs inputs.json --load-outputs outputs_fp32.json --atol 0.001 "
        "--rtol 0.001",
        "polygraphy run --onnxrt half.onnx --onnx-outputs mark all --validate",
    ), needs="onnxconverter_common", by_structure=True),
    Guide("convert: ONNX to ONNX", (
        "polygraphy convert branches.onnx -o same.onnx",
        "polygraphy convert branches.onnx -o marked.onnx --onnx-outputs product y",
        "polygraphy convert branches.onnx -o inferred.onnx --shape-inference --no-onnxruntime-shape-inference",
    )),
    Guide("debug: golden outputs for flaky builds", (
        "polygraphy run copy.onnx --onnxrt --save-outputs golden.json",
    )),
    Guide("debug: reducing a failing model", (
        "polygraphy surgeon sanitize branches.onnx -o folded.onnx --fold-constants "
        "--override-input-shapes x0:[1,2,4,4] x1:[1,2,4,4]",
        "polygraphy run folded.onnx --onnxrt --save-inputs inputs.json --onnx-outputs mark all "
        "--save-outputs layerwise_golden.json",
        "polygraphy data merge inputs.json layerwise_golden.json -o layerwise_inputs.json",
        "polygraphy debug reduce folded.onnx -o initial_reduced.onnx --mode=bisect --load-inputs layerwise_inputs.json "
        '--fail-regex "Op: Mul" --check polygraphy inspect model polygraphy_debug.onnx --show layers',
        "polygraphy inspect model initial_reduced.onnx --show layers",
        "polygraphy debug reduce initial_reduced.onnx -o final_reduced.onnx --mode=linear "
        '--fail-regex "Op: Mul" --check polygraphy inspect model polygraphy_debug.onnx --show layers',
        "polygraphy inspect model final_reduced.onnx --show layers",
    )),
    Guide("debug: reducing with golden values", (
        "polygraphy run branches.onnx --onnxrt --save-inputs inputs.json --onnx-outputs mark all "
        "--save-outputs layers.json",
        "polygraphy data merge inputs.json layers.json -o layerwise.json",
        # Another seed simulates an engine that computes something else.
        "polygraphy run branches.onnx --onnxrt --seed 5 --onnx-outputs mark all --save-outputs golden.json",
        "polygraphy debug reduce branches.onnx -o reduced.onnx --mode=bisect --load-inputs layerwise.json "
        "--check polygraphy run polygraphy_debug.onnx --onnxrt --load-inputs layerwise.json --load-outputs golden.json",
    )),
    Guide("debug: reducing a model with dynamic inputs", (
        "polygraphy debug reduce dynamic.onnx -o reduced.onnx --mode=bisect --model-input-shapes x:[1,2,5,5] "
        "--check false",
        "polygraphy debug reduce dynamic.onnx -o linear.onnx --mode=linear --model-input-shapes x:[1,2,5,5] "
        "--check false",
    )),
    Guide("inspect: a model", (
        "polygraphy inspect model copy.onnx",
        "polygraphy inspect model branches.onnx --show layers",
        "polygraphy inspect model branches.onnx --show layers attrs weights",
        "polygraphy inspect model missing.onnx",
    )),
    Guide("inspect: outputs and inputs", (
        "polygraphy run copy.onnx --onnxrt --save-outputs outputs.json --save-inputs inputs.json",
        "polygraphy inspect data outputs.json --show-values",
        "polygraphy inspect data inputs.json --show-values",
        "polygraphy inspect data replay.json",
    )),
    Guide("inspect: a tactic replay", (
        "polygraphy inspect tactics replay.json",
        "polygraphy inspect diff-tactics --good replay.json --bad replay.json",
    ), needs="tensorrt"),
    Guide("check: linting a model", (
        "polygraphy check lint conflicts.onnx -o report.json",
        "polygraphy check lint branches.onnx -o good.json",
    )),
    Guide("plugin: match and replace", (
        "polygraphy plugin match foreign.onnx --plugin-dir ./plugins -o config.yaml",
        "polygraphy plugin list foreign.onnx --plugin-dir ./plugins",
        "polygraphy plugin replace foreign.onnx --plugin-dir ./plugins --config config.yaml -o replaced.onnx",
    ), needs="yaml"),
    Guide("surgeon: isolating a subgraph", (
        "polygraphy surgeon extract branches.onnx --inputs x1:auto:auto --outputs sum:auto -o subgraph.onnx",
        "polygraphy surgeon extract branches.onnx --inputs x1:[1,2,4,4]:float32 --outputs sum:float32 -o typed.onnx",
        "polygraphy inspect model subgraph.onnx --show layers",
    )),
    Guide("surgeon: folding constants", (
        "polygraphy surgeon sanitize constants.onnx --fold-constants -o folded.onnx",
        "polygraphy inspect model folded.onnx --show layers",
    )),
    Guide("surgeon: modifying input shapes", (
        "polygraphy surgeon sanitize copy.onnx --override-input-shapes x:['dim0',1,'dim2',4] -o dynamic_copy.onnx",
        "polygraphy inspect model dynamic_copy.onnx --show layers",
    )),
    # ONNX Runtime's symbolic inference, which Polygraphy uses if SymPy is installed, renames dynamic dimensions.
    Guide("surgeon: upper bounds of sizes", (
        "polygraphy surgeon sanitize unbounded.onnx -o folded.onnx --fold-constants --no-onnxruntime-shape-inference",
        "polygraphy inspect model folded.onnx --list-unbounded-dds",
        "polygraphy surgeon sanitize folded.onnx --set-unbounded-dds-upper-bound 1000 -o modified.onnx "
        "--no-onnxruntime-shape-inference",
        "polygraphy inspect model modified.onnx --list-unbounded-dds",
    ), by_structure=True),
    Guide("multi-device: sharding attention", (
        "polygraphy template shard-hints attention.onnx -o hints.json",
        "polygraphy multi-device shard attention.onnx -s hints.json -o sharded.onnx",
        "polygraphy multi-device shard attention.onnx -s missing.json -o none.onnx",
    ), by_structure=True),
    Guide("multi-device: fused attention", (
        "polygraphy template shard-hints attention.onnx -o hints.json --cp-type fused --is-causal --k-shuffle 1 0 "
        "--nb-rank 2",
        "polygraphy multi-device shard attention.onnx -s hints.json -o fused.onnx",
        "polygraphy multi-device shard attention.onnx --one-shot --cp-type fused -o one_shot.onnx",
        # Lists without values.
        "polygraphy template shard-hints attention.onnx -o no_groups.json --groups",
        "polygraphy multi-device shard attention.onnx --one-shot --cp-type fused --k-shuffle -o not_shuffled.onnx",
    ), by_structure=True),
    Guide("multi-device: tensor parallelism", (
        "polygraphy multi-device shard edge_llm.onnx --one-shot --parallelism TP --nb-rank 2 -o parallel.onnx",
        "polygraphy multi-device shard edge_llm.onnx --one-shot --parallelism TP --nb-rank 3 -o refused.onnx",
    ), by_structure=True),
    Guide("template: a script for the model", (
        "polygraphy template onnx-gs copy.onnx -o process_model.py",
        "python3 process_model.py",
        "polygraphy run copy_updated.onnx --onnxrt",
    )),
)
