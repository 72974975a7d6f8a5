"""The options of Block, Draw and the games of fives, with their defaults and the words they take."""

EVERY_GAME = {
    "reward": "win",
    "max_hands": 100,
    "max_pip": 6,
    "hand_size": None,  # by game and players, see `default_hand_size`
    "partnership": False,
    "target": 100,
    "exact_target": False,
    "match_end": "immediate",
    "draw_mode": "none",
    "reserve": 0,
    "first_leader": "highest_double",
    "next_lead": "winner",
    "lead_tile": "highest_double",
    "spinner": "none",
}
BLOCK = {**EVERY_GAME, "deduct_own_pips": True}
DRAW = {**BLOCK, "draw_mode": "until_playable"}
CLAIMS = {"claim_mode": "auto", "false_claims": False, "false_claim_penalty": 0}
ALL_FIVES = {
    **EVERY_GAME,
    **CLAIMS,
    "draw_mode": "one_end",
    "reserve": 2,
    "next_lead": "highest_double",
    "lead_tile": "any",
    "score_unit": "pips",
    "opening_threshold": 0,
    "hand_end_rounding": "r5_each",
}
ALL_FIVES_AND_THREES = {
    **{option: value for option, value in ALL_FIVES.items() if option not in ("score_unit", "opening_threshold")},
    "ft_scoring": "face_both",
    "hand_end_rounding": "none",
}
FIVES_AND_THREES = {
    **EVERY_GAME,
    **CLAIMS,
    "target": 61,
    "exact_target": True,
    "first_leader": "lot",
    "next_lead": "rotation",
    "lead_tile": "any",
    "out_bonus": 1,
}
FIVES = {"all_fives": ALL_FIVES, "all_fives_and_threes": ALL_FIVES_AND_THREES, "fives_and_threes": FIVES_AND_THREES}
GAMES = {"block": BLOCK, "draw": DRAW, **FIVES}

WORDS = {
    "reward": ("win", "points"),
    "match_end": ("immediate", "hand_end"),
    "draw_mode": ("none", "one_end", "one_then_play", "until_playable"),
    "first_leader": ("highest_double", "lot"),
    "next_lead": ("highest_double", "winner", "rotation"),
    "lead_tile": ("any", "highest_double"),
    "spinner": ("none", "first_double"),
    "score_unit": ("pips", "pips_over_5"),
    "ft_scoring": ("face_both", "face_once", "units"),
    "hand_end_rounding": ("none", "r5_each", "r5_sum"),
    "claim_mode": ("auto", "muggins"),
}


def default_hand_size(game, num_players, partnership):
    """Five each in All Fives, with or without threes; else seven for two players and five for more.

    In pairs it is seven in Block, and six in Fives and Threes.
    """
    if game in ("all_fives", "all_fives_and_threes"):
        return 5
    if partnership and game in ("block", "fives_and_threes"):
        return 7 if game == "block" else 6
    return 7 if num_players == 2 else 5


def complete(game, num_players, given):
    """Returns all options of a game: those given, and the defaults of the others."""
    unknown = sorted(set(given) - set(GAMES[game]))
    if unknown:
        raise TypeError(f"{game} has no option {', '.join(unknown)}")
    options = {**GAMES[game], **given}
    if options["hand_size"] is None:
        options["hand_size"] = default_hand_size(game, num_players, options["partnership"])
    check(num_players, options)
    return options


def check(num_players, options):
    for option, words in WORDS.items():
        if option in options and options[option] not in words:
            raise ValueError(f"{option}={options[option]!r}, expected one of {words}")
    if num_players not in (2, 3, 4):
        raise ValueError(f"num_players={num_players}, expected 2 to 4")
    if options["partnership"] and num_players != 4:
        raise ValueError(f"partnership needs 4 players, not {num_players}")
    if options["exact_target"] and options["target"] is None:
        raise ValueError("exact_target needs a target")
    if not 1 <= options["max_pip"] <= 12:
        raise ValueError(f"max_pip={options['max_pip']}, expected 1 to 12")
