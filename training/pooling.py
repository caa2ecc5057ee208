"""How much each piece of a text counts in its vector; `src/models/builtin/pooling.ts` does the same.

A piece that occurs n times counts as n to the power of POWER, as in word search, where the tenth time says little more than the third.
A piece counts the less the later it stands: the opening of a text says best what it is about. Both were first learned, then rounded.
"""

import numpy as np

POWER = 0.65
NEAR = 48
FALL = 0.2


def early(place):
    return (1 + place / NEAR) ** -FALL


def repeated(count):
    return count ** (POWER - 1)


def token_weights(ids):
    _, inverse, counts = np.unique(ids, return_inverse=True, return_counts=True)
    return early(np.arange(len(ids), dtype=np.float64)) * repeated(counts[inverse].astype(np.float64))
