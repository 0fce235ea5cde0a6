"""How well planted passages are located, as `lookalike judge` says it."""

import json
import sys

from harness import measure


def judge(program, result, gold, counting, log):
    """What `judge --json` prints; `counting` is --listed or --complete."""
    run = measure.run_once([program, "judge", result, "--gold", gold, counting, "--json"], log)
    if run.code != 0:
        sys.exit(f"lookalike judge failed: {run.output}")
    return json.loads(run.output)


def shown(judged):
    micro = judged["micro"]
    parts = [
        f"by passage precision {judged['precision']:.4f}, recall {judged['recall']:.4f}",
        f"granularity {judged['granularity']:.3f}",
        f"plagdet {judged['plagdet']:.4f}",
        f"by character precision {micro['precision']:.4f}, recall {micro['recall']:.4f}",
        f"{judged['detected_spans']:,} of {judged['spans']:,} detected, by {judged['detections']:,}",
    ]
    kinds = [f"recall of {kind} {scores['recall']:.4f}" for kind, scores in judged["kinds"].items() if "recall" in scores]
    return "; ".join(parts + kinds)
