"""Recall and precision of the pairs a tool found, against the exhaustive truth.

Tools differ in how they list the copies of one text: some name every pair, some only each copy with the first. So
texts with equal shingle sets (similarity 1 in the truth) are taken together: a pair counts as found if any copy of `a`
was found similar to any copy of `b`, and two copies count as found if the tool's pairs connect them. The same rule
applies to every tool. Precision needs no such rule: it is the share of the listed pairs that the truth has.
"""

import json
from dataclasses import dataclass


class Sets:
    """Union-find over ids."""

    def __init__(self):
        self.parent = {}

    def find(self, name):
        root = name
        while (above := self.parent.get(root, root)) != root:
            root = above
        while name != root:
            self.parent[name], name = root, self.parent.get(name, name)
        return root

    def join(self, one, other):
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parent[max(one, other)] = min(one, other)


@dataclass
class Quality:
    found: int
    recall: float
    recall_at_threshold: float  # true pairs from the threshold to 0.02 above
    recall_far_above: float  # true pairs from 0.1 above the threshold
    precision: float
    wrong_similarity: int  # true pairs whose reported similarity is another than the true one


def read_pairs(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            yield pair["a"], pair["b"], pair.get("similarity")


def read_truth(path):
    return {(a, b): similarity for a, b, similarity in read_pairs(path)}


def judge(truth, found_path, threshold):
    copies = Sets()
    for (a, b), similarity in truth.items():
        if similarity == 1.0:
            copies.join(a, b)
    listed, right, wrong_similarity = 0, 0, 0
    connected, across = Sets(), set()
    for a, b, similarity in read_pairs(found_path):
        true = truth.get((a, b), truth.get((b, a)))
        listed += 1
        right += true is not None
        if true is not None and similarity is not None and abs(similarity - true) > 0.0001:
            wrong_similarity += 1
        group, other = copies.find(a), copies.find(b)
        if group == other:
            connected.join(a, b)
        else:
            across.add((min(group, other), max(group, other)))

    def is_found(a, b):
        group, other = copies.find(a), copies.find(b)
        if group == other:
            return connected.find(a) == connected.find(b)
        return (min(group, other), max(group, other)) in across

    def recall(low, high):
        wanted = [is_found(a, b) for (a, b), similarity in truth.items() if low <= similarity < high]
        return sum(wanted) / len(wanted) if wanted else float("nan")

    return Quality(
        found=listed,
        recall=recall(0, 2),
        recall_at_threshold=recall(0, threshold + 0.02),
        recall_far_above=recall(threshold + 0.1 - 1e-9, 2),
        precision=right / listed if listed else float("nan"),
        wrong_similarity=wrong_similarity,
    )
