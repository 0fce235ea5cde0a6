"""How pairs are looked for: exactly, by the rarest features of all units, or by keys. Decided in one task, by a bounded sample of features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lookalike.spark import _parts
from lookalike.spark._parts import CHOSEN, SAMPLED, Job
from lookalike.spark._tables import in_parts


@dataclass(frozen=True)
class Choice:
    """The floors by which pairs are found exactly, or none if keys are to find them; and how many features there are, probe by probe."""

    floors: list[list[float]] | None
    features: list[int]

    def sample_bits(self, job: Job) -> int:
        """How rare features may be at the most for a sample of them to have told this."""
        return min((job.stages.sample_bits(features) for features in self.features), default=0)


def chosen(units: Any, job: Job, probes: int) -> Choice:
    """As a whole run decides it, by the sampled features of signed units."""
    columns = ["unit", "digest_1", "digest_2", "class", "sizes", "sampled"]
    there = in_parts(units.select(*columns), _parts.sampled(probes), SAMPLED)
    found = in_parts(there.repartition(1), _parts.floors(job, probes), CHOSEN).collect()
    if not found:
        return Choice([[1.0] for _ in range(probes)], [0] * probes)
    [choice] = found
    return Choice(choice["floors"], list(choice["features"]))
