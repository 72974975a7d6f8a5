"""Placeholder."""
from domino_envs.core.jit import njit
@njit
def redeal_hidden(state, rules, player, seed):
    state.rng = seed
