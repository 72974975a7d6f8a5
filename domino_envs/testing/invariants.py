"""All that every game must keep, as small named checks that can be run one by one."""

from collections.abc import Callable

from domino_envs.core.game import Game
from domino_envs.testing import play_checks, run_checks, view_checks

CHECKS: tuple[Callable[[Game, int, int], None], ...] = (
    play_checks.tiles_are_in_one_place,
    play_checks.someone_can_always_move,
    play_checks.masks_are_written_whole_and_bind,
    play_checks.equal_moves_are_one_action,
    play_checks.actions_have_fixed_names,
    play_checks.rewards_follow_the_scores,
    play_checks.forfeits_cost_the_offender,
    play_checks.hands_end_within_the_bound,
    view_checks.observations_keep_their_bounds,
    view_checks.observation_decides_the_mask,
    view_checks.a_draw_or_pass_is_seen,
    view_checks.seats_are_alike,
    view_checks.hidden_tiles_do_not_show,
    view_checks.redealing_reads_nothing_hidden,
    run_checks.equal_seeds_are_equal_games,
    run_checks.later_deals_differ,
    run_checks.global_randomness_has_no_part,
    run_checks.copies_go_their_own_way,
    run_checks.batch_rows_are_tables,
    run_checks.skipping_forced_moves_changes_no_game,
)


def check_game(game: Game, games: int = 10, seed: int = 0) -> None:
    """Runs every check over `games` random games; raises AssertionError that names the game and what it does not keep."""
    for check in CHECKS:
        try:
            check(game, games, seed)
        except AssertionError as error:
            raise AssertionError(f"{game.id} for {game.num_players}: {check.__name__}: {error}") from error
