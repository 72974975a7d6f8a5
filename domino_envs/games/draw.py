"""Draw dominoes: Block in which a player who cannot place draws until he can, or the boneyard is empty.

Rules: https://www.pagat.com/domino/line/draw.html
The functions, state and observation are those of Block; only the defaults differ.
"""

from typing import Any

from domino_envs.core.game import Game
from domino_envs.core.options import check_num_players
from domino_envs.games import block


def game(num_players: int = 2, **options: Any) -> Game:
    """Returns Draw for 2 to 4 players."""
    num_players = check_num_players("draw", num_players, 2, 4)
    hand_size = 7 if num_players == 2 else 5
    return block.game(num_players, name="draw", **{"draw_mode": "until_playable", "hand_size": hand_size, **options})
