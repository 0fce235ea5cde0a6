"""Texts like those of a forum: a vocabulary after Zipf's law, stock phrases, and near copies, of which popular questions have
more the larger the collection is."""

import itertools
import random

VOCABULARY, PHRASES = 50_000, 2_000
# The share of texts that are near copies, and of those, of a popular question: more than in a real forum, so that a few
# thousand texts have groups larger than the caps.
COPIES, POPULAR = 0.3, 0.8
POPULAR_QUESTIONS = 300


class Forum:
    """Texts one after another: the first n of a longer collection are the collection of n."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.words = [f"w{number:x}" for number in range(VOCABULARY)]
        self.word_weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))
        self.phrase_weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(PHRASES)))
        self.phrases = [self.some_words(self.chance.randint(4, 7)) for _ in range(PHRASES)]
        self.popularity = list(itertools.accumulate(1 / (rank + 2) for rank in range(POPULAR_QUESTIONS)))
        self.originals = [self.fresh() for _ in range(POPULAR_QUESTIONS)]

    def some_words(self, count):
        return self.chance.choices(self.words, cum_weights=self.word_weights, k=count)

    def fresh(self):
        """20 to 100 words; about one run of words in three is a stock phrase."""
        text, wanted = [], self.chance.randint(20, 100)
        while len(text) < wanted:
            if self.chance.random() < 1 / 3:
                text += self.chance.choices(self.phrases, cum_weights=self.phrase_weights)[0]
            else:
                text += self.some_words(self.chance.randint(5, 12))
        return text

    def near_copy(self, text):
        """Words replaced, inserted or dropped at a rate of up to one in twelve."""
        rate, out = self.chance.uniform(0, 1 / 12), []
        for word in text:
            change = self.chance.choice(("replace", "insert", "drop")) if self.chance.random() < rate else None
            out += [word] if change in (None, "insert") else []
            out += self.some_words(1) if change in ("replace", "insert") else []
        return out

    def text(self):
        if self.chance.random() >= COPIES:
            self.originals.append(self.fresh())
            return self.originals[-1]
        if self.chance.random() < POPULAR:
            popular = self.originals[:POPULAR_QUESTIONS]
            return self.near_copy(self.chance.choices(popular, cum_weights=self.popularity)[0])
        return self.near_copy(self.chance.choice(self.originals))
