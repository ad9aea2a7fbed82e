"""The commands that bench.py measures. Placeholders like {inline} stand for the models of make_models.py and for MADE."""
from dataclasses import dataclass

CHECKED = "polygraphy_debug.onnx"
ONE_COPY = 1.3 * 1.074e9  # bytes of memory: the model of 1 GiB once, and 30 % more

# Files that Assay makes before the rows run: their names, and the arguments that make them.
MADE = {
    "pruned": ("pruned.onnx", ["surgeon", "prune", "{inline}", "-o", "{pruned}"]),
    "stripped": ("stripped.onnx", ["surgeon", "weight-strip", "{inline}", "-o", "{stripped}"]),
    "stripped_small": ("stripped_small.onnx", ["surgeon", "weight-strip", "{squeezenet}", "-o", "{stripped_small}"]),
    "results": ("results.json", ["run", "{densenet}", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs", "{results}"]),
}


@dataclass
class Row:
    name: str
    ours: list  # words; placeholders like {model} are filled in
    polygraphy: list | None = None
    max_ratio: float | None = None  # of wall time
    max_seconds: float | None = None
    max_memory: float | None = None  # bytes
    value: str = "wall"  # or "own": wall time minus the time in checks
    runs: int = 3
    polygraphy_runs: int | None = None
    status: int = 0
    polygraphy_status: int = 0


def same(name, *words, **limits):
    """Returns a row with the same words for both programs. By default, the limit is a fifth of Polygraphy's time."""
    return Row(name, ["{assay}", *words], ["{polygraphy}", *words], **{"max_ratio": 0.2, **limits})


ROWS = [
    same("`--help`", "--help", max_ratio=0.1, runs=15),
    same("`inspect model`, light_squeezenet", "inspect", "model", "{squeezenet}", max_ratio=0.1, runs=15),
    same("`inspect model`, 2.5 GB external weights", "inspect", "model", "{external}", max_ratio=None, max_seconds=0.05,
         max_memory=60e6, runs=7, polygraphy_runs=1),
    same("`run --onnxrt`, light_squeezenet", "run", "{squeezenet}", "--onnxrt", max_ratio=None, runs=9),
    same("`run --onnxrt --onnx-outputs mark all --save-outputs`, light_densenet121", "run", "{densenet}", "--onnxrt",
         "--onnx-outputs", "mark", "all", "--save-outputs", "o.json", runs=5),
    Row("`run --onnxrt --onnx-outputs mark all --memory-budget 960M`, tensors of 20 GiB (Polygraphy would hold them all)",
        ["{assay}", "run", "{chain}", "--onnxrt", "--onnx-outputs", "mark", "all", "--memory-budget", "960M"],
        max_memory=1.074e9, runs=1),
    same("`surgeon sanitize --fold-constants`, 1 GB inline", "surgeon", "sanitize", "{inline}", "--fold-constants",
         "-o", "folded.onnx", max_memory=ONE_COPY, polygraphy_runs=1),
    same("`surgeon extract`, last layer of 2.5 GB external weights", "surgeon", "extract", "{external}",
         "--inputs", "r22:[1,5104]:float32", "-o", "layer.onnx", max_ratio=None, max_memory=400e6, polygraphy_runs=1),
    same("`debug reduce`, light_densenet121, own time (without checks)", "debug", "reduce", "{densenet}",
         "--mode", "bisect", "-o", "reduced.onnx", "--check", "{timed}", max_ratio=0.1, value="own"),
    Row("`debug reduce`, light_densenet121 with a NaN, each with its own `run --validate` as the check",
        ["{assay}", "debug", "reduce", "{nan}", "--mode", "bisect", "-o", "reduced.onnx",
         "--check", "{assay}", "run", CHECKED, "--onnxrt", "--validate"],
        ["{polygraphy}", "debug", "reduce", "{nan}", "--mode", "bisect", "-o", "reduced.onnx",
         "--check", "{polygraphy}", "run", CHECKED, "--onnxrt", "--validate"],
        max_ratio=0.1, polygraphy_runs=1),
    Row("the same with our default, `--mode minimal`, compared with Polygraphy's bisection",
        ["{assay}", "debug", "reduce", "{nan}", "-o", "reduced.onnx",
         "--check", "{assay}", "run", CHECKED, "--onnxrt", "--validate"],
        ["{polygraphy}", "debug", "reduce", "{nan}", "--mode", "bisect", "-o", "reduced.onnx",
         "--check", "{polygraphy}", "run", CHECKED, "--onnxrt", "--validate"],
        max_ratio=0.1, polygraphy_runs=2),
    # The tools that read or change models: a small model, and one of 1 GB, for which the limit leaves room for one copy of the
    # model in memory.
    # Polygraphy reports an initializer that isn't an input of the graph as an error: see docs/differences.md.
    same("`check lint`, light_squeezenet", "check", "lint", "{squeezenet}", polygraphy_status=1),
    same("`inspect sparsity`, light_squeezenet", "inspect", "sparsity", "{squeezenet}"),
    same("`surgeon insert`, light_squeezenet", "surgeon", "insert", "{squeezenet}", "--op", "Mine", "--inputs", "data_0",
         "--outputs", "data_0", "-o", "o.onnx"),
    same("`surgeon prune`, light_squeezenet", "surgeon", "prune", "{squeezenet}", "-o", "o.onnx"),
    same("`surgeon weight-strip`, light_squeezenet", "surgeon", "weight-strip", "{squeezenet}", "-o", "o.onnx"),
    same("`surgeon weight-reconstruct`, light_squeezenet", "surgeon", "weight-reconstruct", "{stripped_small}", "-o", "o.onnx"),
    same("`template onnx-gs`, light_squeezenet", "template", "onnx-gs", "{squeezenet}", "-o", "o.py"),
    same("`inspect data`, 363 MB of JSON", "inspect", "data", "{results}", polygraphy_runs=1),
    same("`inspect sparsity`, 1 GB inline", "inspect", "sparsity", "{inline}", max_memory=ONE_COPY, polygraphy_runs=1),
    same("`surgeon insert`, 1 GB inline", "surgeon", "insert", "{inline}", "--op", "Mine", "--inputs", "m0", "--outputs", "m0",
         "-o", "o.onnx", max_memory=ONE_COPY, polygraphy_runs=1),
    # Polygraphy takes more than ten minutes.
    Row("`surgeon prune`, 1 GB inline", ["{assay}", "surgeon", "prune", "{inline}", "-o", "o.onnx"], max_memory=ONE_COPY),
    same("`surgeon weight-strip`, 1 GB inline", "surgeon", "weight-strip", "{inline}", "-o", "o.onnx", max_memory=ONE_COPY,
         polygraphy_runs=1),
    same("`surgeon weight-reconstruct`, 1 GB inline", "surgeon", "weight-reconstruct", "{stripped}", "-o", "o.onnx",
         max_memory=ONE_COPY, polygraphy_runs=1),
    same("`convert --fp-to-fp16`, light_squeezenet", "convert", "{squeezenet}", "--convert-to", "onnx", "--fp-to-fp16", "-o", "o.onnx"),
    same("`convert --fp-to-fp16`, 1 GB inline", "convert", "{inline}", "--convert-to", "onnx", "--fp-to-fp16", "-o", "o.onnx",
         max_memory=ONE_COPY, polygraphy_runs=1),
    Row("`diff`, two models of 1 GB, half of the weights changed", ["{assay}", "diff", "{inline}", "{pruned}"],
        max_seconds=3, max_memory=200e6, status=1),
]
