"""A layout of dominoes: one line of two ends, to which a spinner may add two arms.

Spinner: https://www.pagat.com/tile/wdom/all_fives.html
"""

import functools


class Layout:
    """Never changes: `with_tile` returns another. Tiles of an arm are turned so that their second half points outward.

    `line` lies from left to right, the spinner in it; `arms` holds what lies on the spinner's two ends.
    """

    def __init__(self, line=(), arms=None, spinner=None):
        self.line = tuple(line)
        self.arms = arms or {"U": (), "D": ()}
        self.spinner = spinner

    def with_tile(self, tile, arm, spinner_rule):
        """Returns the layout after `tile` is laid at `arm`; the first double becomes the spinner where there is one."""
        line, arms, spinner = self.line, dict(self.arms), self.spinner
        if spinner_rule == "first_double" and spinner is None and is_double(tile):
            spinner = tile
        if not line:
            line = (tile,)
        elif arm == "L":
            line = (outward(tile, line[0][0])[::-1], *line)
        elif arm == "R":
            line = (*line, outward(tile, line[-1][1]))
        else:
            arms[arm] = (*arms[arm], outward(tile, self.ends[arm]["number"]))
        return Layout(line, arms, spinner)

    @functools.cached_property
    def ends(self):
        """The open ends by arm: the number shown, the pips counted, and whether covering the end opens two arms."""
        ends = {
            "L": end(self.line[0], self.line[0][0], self.line[0] == self.spinner),
            "R": end(self.line[-1], self.line[-1][1], self.line[-1] == self.spinner),
        }
        if self.spinner_is_covered():
            for arm, tiles in self.arms.items():
                ends[arm] = end(tiles[-1], tiles[-1][1]) if tiles else empty_arm(self.spinner)
        return ends

    def spinner_is_covered(self):
        """A spinner's ends open once both its sides have neighbours."""
        return self.spinner in self.line[1:-1]

    def total(self):
        """The pips at the open ends; a single tile counts its two halves once."""
        if len(self.line) == 1:
            return sum(self.line[0])
        return sum(each["pips"] for each in self.ends.values())

    def signature(self, pips_count):
        """Equal for layouts that play alike: the same ends, with the same pips where a game counts them."""
        return sorted((each["number"], each["pips"] if pips_count else 0, each["opens_arms"]) for each in self.ends.values())


def is_double(tile):
    return tile[0] == tile[1]


def outward(tile, number):
    """Returns the tile turned so that its half `number` comes first, touching the layout."""
    return tile if tile[0] == number else tile[::-1]


def end(tile, number, opens_arms=False):
    """An exposed double counts both its halves."""
    return {"number": number, "pips": sum(tile) if is_double(tile) else number, "opens_arms": opens_arms}


def empty_arm(spinner):
    """An arm without a tile shows the spinner's number and counts nothing, and so does the covered spinner."""
    return {"number": spinner[0], "pips": 0, "opens_arms": False}


def placements(layout, hand, spinner_rule, pips_count):
    """Returns every (tile, arm) that fits; of those of one tile that leave the same layout only the first, in L R U D."""
    found = []
    for tile in hand:
        arms = [arm for arm, each in layout.ends.items() if each["number"] in tile]
        if len(arms) > 1:
            left = [layout.with_tile(tile, arm, spinner_rule).signature(pips_count) for arm in arms]
            arms = [arm for place, arm in enumerate(arms) if left.index(left[place]) == place]
        found += [(tile, arm) for arm in arms]
    return found
