"""A person at the terminal: shows the table as the seat to move sees it, and asks for an action."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rich.console import Console

from domino_envs.core.game import Game
from domino_envs.envs.opponents import tell_of_new_games, visible_tables
from domino_envs.render.text import render_text
from domino_envs.table import Table


class HumanAgent:
    """Asks a person for every action.

    Args:
        game: what is played.
        console: where the table is shown and, by default, the answer is read.
        read: reads a line instead of the console, for scripts: `read(prompt)`.
    """

    name = "human"
    interactive = True
    needs_tables = True

    def __init__(self, game: Game, console: Console | None = None, read: Callable[[str], str] | None = None):
        self.game = game
        self._console = console or Console()
        self._read = read or self._console.input
        self._table = Table(game, seed=0)

    def act(
        self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, *, tables: np.ndarray
    ) -> np.ndarray:
        """Returns `actions[B]`, asked one after the other.

        Raises:
            EOFError: the input has ended.
        """
        return np.array([self._ask(tables[row : row + 1]) for row in range(len(tables))], np.int64)

    def _ask(self, states: np.ndarray) -> int:
        """Returns a legal action, asking until there is one."""
        self._table.set_state(states.tobytes())
        legal = [self.game.action_to_string(action) for action in self._table.legal_actions()]
        choices = "   ".join(f"{number} {name}" for number, name in enumerate(legal, start=1))
        self._show(f"\n{render_text(self._table, pov=self._table.player)}\n{choices}")
        while True:
            answer = self._read("action: ").strip()
            if answer in legal:
                return self.game.string_to_action(answer)
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(legal):
                return self.game.string_to_action(legal[int(answer) - 1])
            self._show(f"no action {answer!r}; expected a number from 1 to {len(legal)}, or a name as shown")

    def _show(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)  # `[6-4]` is a tile, not a style


def play_game(game: Game, agents: Sequence[Any], seed: int | None = None) -> Table:
    """Returns a table at the end of a game in which every seat was played by its agent; forced moves are not asked for.

    Args:
        agents: by seat, as often as one plays.
        seed: of the deal and of what the agents draw from; None takes fresh entropy.
    """
    table, rng = Table(game, seed), np.random.default_rng(seed)
    for agent in agents:
        tell_of_new_games(agent, np.arange(1))
    while not table.done:
        legal = table.legal_actions()
        table.step(legal[0] if len(legal) == 1 else _answer(agents[table.player], table, rng))
    return table


def _answer(agent: Any, table: Table, rng: np.random.Generator) -> int:
    given: dict[str, Any] = {}
    if getattr(agent, "needs_tables", False) or getattr(agent, "privileged", False):
        given["tables"] = visible_tables(agent, table.game, table.states.copy(), np.array([table.player]), rng)
    if hasattr(agent, "reset"):
        given["rows"] = np.arange(1)
    (action,) = agent.act(table.observation(table.player)[None], table.action_mask[None].copy(), rng, **given)
    return action
