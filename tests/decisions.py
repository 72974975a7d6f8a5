"""Decisions with a choice, as agents are given them."""

import numpy as np

from domino_envs.testing import position, random_positions


def decisions(game, games, seed, every=3):
    """Returns tables at decisions with a choice."""
    return [table.clone() for table in random_positions(game, games, seed, every=every) if table.action_mask.sum() > 1]


def batch_of(tables):
    """Returns what an agent is given, and the tables as they are."""
    views = np.stack([table.observation(table.player) for table in tables])
    masks = np.stack([table.action_mask for table in tables])
    return views, masks, np.concatenate([table.states for table in tables])


def trap(**options):
    """Heaviest first loses: 6-1 lets 6-6 out. After 2-0 the other seat must pass, and 6-1 goes out."""
    return position("block", ["6-1 2-0", "6-6"], ends=(1, 2), **options)
