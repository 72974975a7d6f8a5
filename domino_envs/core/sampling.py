"""The legal actions of a mask: how many there are, the only one, and a random one."""

import numpy as np

from domino_envs.core.jit import njit
from domino_envs.core.rng import randint


@njit
def count_legal(mask):
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    return count


@njit
def only_action(mask):
    for action in range(len(mask)):
        if mask[action]:
            return action
    return -1


@njit
def count_bits(word):
    """Returns the number of ones in a uint64 (Knuth, TAOCP 7.1.3)."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit
def _word_of(mask, first):
    """Packs up to 64 entries of a mask into a word."""
    word = np.uint64(0)
    for i in range(min(64, len(mask) - first)):
        word |= np.uint64(mask[first + i]) << np.uint64(i)
    return word


@njit
def _place_of_one(word, chosen):
    """Returns the place of the `chosen`-th one of a word: the lower ones are cleared, and those below it counted."""
    for _ in range(chosen):
        word &= word - np.uint64(1)
    lowest = word & (~word + np.uint64(1))
    return count_bits(lowest - np.uint64(1))


@njit
def sample_legal(mask, state):
    """Returns a uniformly random legal action from `state.rng`, or -1 where nothing is legal.

    A search along the mask would end where no processor can predict it; few ones of a word are soon cleared.
    """
    word = _word_of(mask, 0)
    ones = count_bits(word)
    legal = ones if len(mask) <= 64 else count_legal(mask)
    if legal == 0:
        return -1
    chosen, first = randint(state, legal), 0
    while chosen >= ones:
        chosen -= ones
        first += 64
        word = _word_of(mask, first)
        ones = count_bits(word)
    return first + _place_of_one(word, chosen)
