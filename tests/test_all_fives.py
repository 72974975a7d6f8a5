"""All Fives, worked by hand: the score of the open ends, and the end of a hand."""

import pytest

from domino_envs import load_game
from domino_envs.render.line import layout
from domino_envs.table import Table
from domino_envs.testing import play, position, random_positions, set_deal
from worked import names

# The line as it was laid | the total of its ends, an exposed double with both halves, a lone tile with each half once |
# what the last tile scored.
BOARDS = """
5-4>L | 4 + 5 = 9 | 0
2-2>L | 2 + 2 = 4 | 0
4-1>L | 1 + 4 = 5 | 5
6-6>L | 6 + 6 = 12 | 0
4-3>L | 3 + 4 = 7 | 0
1-0>L | 0 + 1 = 1 | 0
3-3>L | 3 + 3 = 6 | 0
1-1>L | 1 + 1 = 2 | 0
4-4>L | 4 + 4 = 8 | 0
2-2>L 4-2>L | 4 + 2*2 = 8 | 0
5-1>L 2-1>L | 2 + 5 = 7 | 0
0-0>L 6-0>L | 6 + 2*0 = 6 | 0
5-5>L 5-0>L | 0 + 2*5 = 10 | 10
4-3>L 6-3>L | 6 + 4 = 10 | 10
5-0>L 4-0>L | 4 + 5 = 9 | 0
3-3>L 4-3>L | 4 + 2*3 = 10 | 10
0-0>L 5-0>L | 5 + 2*0 = 5 | 5
1-0>L 0-0>L | 2*0 + 1 = 1 | 0
2-1>L 5-2>R | 1 + 5 = 6 | 0
4-4>L 5-4>L | 5 + 2*4 = 13 | 0
3-3>L 6-3>L | 6 + 2*3 = 12 | 0
4-3>L 3-1>L | 1 + 4 = 5 | 5
5-4>L 6-5>R | 4 + 6 = 10 | 10
4-4>L 4-1>L | 1 + 2*4 = 9 | 0
3-0>L 6-3>R | 0 + 6 = 6 | 0
4-3>L 5-4>R | 3 + 5 = 8 | 0
6-5>L 6-2>R | 5 + 2 = 7 | 0
1-1>L 1-0>L | 0 + 2*1 = 2 | 0
5-5>L 5-2>L | 2 + 2*5 = 12 | 0
3-0>L 4-3>R 5-0>L | 5 + 4 = 9 | 0
4-1>L 1-1>L 4-3>R | 2*1 + 3 = 5 | 5
4-3>L 4-1>R 3-3>L | 2*3 + 1 = 7 | 0
3-2>L 6-3>R 2-0>L | 0 + 6 = 6 | 0
4-1>L 1-1>L 6-4>R | 2*1 + 6 = 8 | 0
4-4>L 4-0>L 6-0>L | 6 + 2*4 = 14 | 0
5-2>L 5-3>R 2-1>L | 1 + 3 = 4 | 0
2-1>L 2-0>R 1-0>L | 0 + 0 = 0 | 0
5-5>L 5-3>L 3-1>L | 1 + 2*5 = 11 | 0
3-1>L 6-3>R 1-0>L | 0 + 6 = 6 | 0
5-0>L 4-0>L 5-3>R | 4 + 3 = 7 | 0
2-1>L 6-2>R 5-1>L | 5 + 6 = 11 | 0
4-0>L 4-3>R 3-1>R | 0 + 1 = 1 | 0
5-3>L 3-3>L 5-5>R | 2*3 + 2*5 = 16 | 0
6-0>L 6-2>R 4-2>R | 0 + 4 = 4 | 0
4-2>L 4-4>R 6-2>L | 6 + 2*4 = 14 | 0
1-0>L 3-1>R 6-0>L | 6 + 3 = 9 | 0
1-1>L 1-0>L 4-0>L | 4 + 2*1 = 6 | 0
6-1>L 6-0>R 0-0>R | 1 + 2*0 = 1 | 0
2-2>L 6-2>L 6-5>L | 5 + 2*2 = 9 | 0
4-3>L 3-1>L 5-1>L 5-4>R | 5 + 5 = 10 | 10
1-1>L 2-1>L 5-2>L 6-5>L | 6 + 2*1 = 8 | 0
2-2>L 5-2>L 6-5>L 6-3>L | 3 + 2*2 = 7 | 0
3-2>L 5-3>R 2-2>L 5-2>R | 2*2 + 2 = 6 | 0
1-0>L 4-1>R 4-3>R 0-0>L | 2*0 + 3 = 3 | 0
6-4>L 6-3>R 4-3>L 3-0>L | 0 + 3 = 3 | 0
4-2>L 2-0>L 5-0>L 5-1>L | 1 + 4 = 5 | 5
3-3>L 3-0>L 0-0>L 5-3>R | 2*0 + 5 = 5 | 5
3-0>L 5-0>L 5-5>L 5-3>R | 2*5 + 5 = 15 | 15
4-0>L 5-4>R 5-0>R 0-0>L | 2*0 + 0 = 0 | 0
3-1>L 4-3>R 4-1>L 6-4>L | 6 + 4 = 10 | 10
2-2>L 4-2>L 4-0>L 6-0>L | 6 + 2*2 = 10 | 10
6-1>L 5-1>L 5-2>L 2-2>L | 2*2 + 6 = 10 | 10
3-2>L 4-2>L 5-3>R 6-5>R | 4 + 6 = 10 | 10
5-5>L 5-4>L 4-1>L 1-0>L | 0 + 2*5 = 10 | 10
6-3>L 3-1>L 6-5>R 5-4>R | 1 + 4 = 5 | 5
0-0>L 4-0>L 4-3>L 5-3>L | 5 + 2*0 = 5 | 5
6-4>L 4-2>L 2-2>L 6-1>R | 2*2 + 1 = 5 | 5
4-0>L 4-3>R 6-0>L 5-3>R 6-5>L | 5 + 5 = 10 | 10
5-4>L 6-4>L 5-0>R 6-1>L 4-0>R | 1 + 4 = 5 | 5
6-0>L 6-4>R 0-0>L 2-0>L 4-3>R | 2 + 3 = 5 | 5
6-0>L 2-0>L 6-6>R 4-2>L 4-3>L | 3 + 2*6 = 15 | 15
4-1>L 5-4>R 6-1>L 5-0>R 4-0>R | 6 + 4 = 10 | 10
1-1>L 1-0>L 4-0>L 4-4>L 4-3>L | 3 + 2*1 = 5 | 5
2-2>L 4-2>L 4-0>L 6-2>R 6-5>R | 0 + 5 = 5 | 5
4-3>L 3-3>L 3-0>L 4-0>R 0-0>L | 2*0 + 0 = 0 | 0
3-3>L 6-3>L 4-3>R 4-0>R 6-0>L | 0 + 0 = 0 | 0
4-3>L 4-2>R 6-3>L 6-6>L 3-2>R | 2*6 + 3 = 15 | 15
4-2>L 2-0>L 5-0>L 5-5>L 5-4>R | 2*5 + 5 = 15 | 15
6-1>L 6-4>R 3-1>L 4-3>R 3-2>L | 2 + 3 = 5 | 5
6-6>L 6-5>L 6-4>R 4-2>R 2-0>R 0-0>R | 5 + 2*0 = 5 | 5
2-0>L 3-2>R 5-0>L 5-5>L 5-4>L 3-1>R | 4 + 1 = 5 | 5
3-3>L 3-2>L 2-2>L 4-2>L 4-3>R 4-1>L | 1 + 4 = 5 | 5
3-1>L 3-2>R 2-2>R 6-2>R 6-3>R 1-1>L | 2*1 + 3 = 5 | 5
4-1>L 3-1>L 4-3>R 6-3>L 3-0>R 4-0>R | 6 + 4 = 10 | 10
6-1>L 6-2>R 4-2>R 4-4>R 1-1>L 2-1>L | 2 + 2*4 = 10 | 10
2-0>L 5-0>L 5-3>L 3-0>L 6-0>L 4-2>R | 6 + 4 = 10 | 10
2-1>L 2-0>R 4-1>L 4-3>L 3-0>L 5-0>L | 5 + 0 = 5 | 5
6-1>L 6-4>R 4-1>L 4-2>L 5-2>L 4-0>R 5-0>L | 0 + 0 = 0 | 0
6-6>L 6-0>L 3-0>L 6-1>R 1-0>R 4-0>R 4-2>R | 3 + 2 = 5 | 5
4-0>L 5-0>L 5-2>L 2-0>L 1-0>L 4-2>R 3-1>L | 3 + 2 = 5 | 5
1-1>L 5-1>L 5-5>L 4-1>R 5-0>L 4-4>R 5-4>R | 0 + 5 = 5 | 5
2-1>L 5-1>L 4-2>R 5-4>L 6-4>L 6-3>L 3-3>L | 2*3 + 4 = 10 | 10
4-0>L 4-2>R 2-1>R 6-0>L 6-5>L 1-0>R 5-0>L | 0 + 0 = 0 | 0
5-0>L 0-0>L 4-0>L 5-3>R 4-2>L 3-1>R 1-1>R 3-2>L | 3 + 2*1 = 5 | 5
6-2>L 2-0>L 6-0>L 6-6>L 6-3>R 5-3>R 5-2>R 3-2>R | 2*6 + 3 = 15 | 15
4-0>L 6-0>L 6-1>L 5-1>L 5-4>L 4-2>L 6-4>R 2-2>L | 2*2 + 6 = 10 | 10
6-4>L 6-6>R 6-2>R 3-2>R 3-0>R 4-2>L 2-0>L 5-0>L | 5 + 0 = 5 | 5
3-1>L 5-3>R 5-1>L 6-5>L 6-3>L 5-5>R 5-2>R 3-3>L 4-2>R | 2*3 + 4 = 10 | 10
0-0>L 1-0>L 3-1>L 6-3>L 6-0>L 5-0>L 6-5>L 3-0>R 4-3>R | 6 + 4 = 10 | 10
5-4>L 6-4>L 5-2>R 6-0>L 4-2>R 3-0>L 6-3>L 4-0>R 6-5>L | 5 + 0 = 5 | 5
"""
# Hands, seat by seat | the open ends | the others' pips less the winner's, one difference for each | what the hand pays with
# no rounding, with each difference rounded to the nearest five, with their sum rounded | to whom. Seat 0 moves first; who
# has a tile that fits goes out with it, and where nobody has one the hand is blocked.
ENDINGS = """
5-2 4-2 4-1 1-1 / 6-3 | 3 6 | 20-0 | none 20, each 20 = 20, sum 20 | to 1
3-3 / 6-6 | 3 3 | 12-0 | none 12, each 10 = 10, sum 10 | to 0
4-3 / 2-1 1-0 0-0 | 4 6 | 4-0 | none 4, each 5 = 5, sum 5 | to 0
6-2 5-5 5-2 3-2 / 2-0 | 1 0 | 30-0 | none 30, each 30 = 30, sum 30 | to 1
5-1 / 6-1 4-3 4-2 2-2 | 5 0 | 24-0 | none 24, each 25 = 25, sum 25 | to 0
5-2 4-2 3-3 / 2-1 | 1 0 | 19-0 | none 19, each 20 = 20, sum 20 | to 1
5-3 / 4-1 / 5-5 4-4 1-1 | 3 0 | 5-0, 20-0 | none 25, each 5 + 20 = 25, sum 25 | to 0
1-0 / 6-0 / 6-6 5-4 5-0 | 1 2 | 6-0, 26-0 | none 32, each 5 + 25 = 30, sum 30 | to 0
3-2 / 6-6 5-3 5-1 / 1-1 1-0 | 4 2 | 26-0, 3-0 | none 29, each 25 + 5 = 30, sum 30 | to 0
5-4 / 6-4 2-2 / 3-3 3-2 | 5 0 | 14-0, 11-0 | none 25, each 15 + 10 = 25, sum 25 | to 0
2-1 1-1 / 5-0 / 4-4 3-3 | 0 0 | 5-0, 14-0 | none 19, each 5 + 15 = 20, sum 20 | to 1
1-1 / 3-3 / 6-5 6-2 5-1 | 3 0 | 2-0, 25-0 | none 27, each 0 + 25 = 25, sum 25 | to 1
6-2 1-1 / 6-3 6-1 / 5-4 | 5 5 | 10-0, 16-0 | none 26, each 10 + 15 = 25, sum 25 | to 2
5-5 3-3 3-0 / 3-1 / 5-4 3-2 | 1 6 | 19-0, 14-0 | none 33, each 20 + 15 = 35, sum 35 | to 1
4-3 3-3 / 3-0 / 6-6 6-0 5-5 / 2-1 | 1 1 | 13-0, 3-0, 28-0 | none 44, each 15 + 5 + 30 = 50, sum 45 | to 3
6-4 / 3-3 1-1 0-0 / 3-1 3-0 / 5-2 5-1 1-0 | 6 4 | 8-0, 7-0, 14-0 | none 29, each 10 + 5 + 15 = 30, sum 30 | to 0
2-0 / 6-2 6-1 4-1 / 6-6 5-2 4-2 / 6-5 5-5 1-1 | 0 3 | 20-0, 25-0, 23-0 | none 68, each 20 + 25 + 25 = 70, sum 70 | to 0
6-4 5-5 3-3 / 5-0 4-0 3-0 / 3-2 / 6-0 5-3 4-4 | 1 2 | 26-0, 12-0, 22-0 | none 60, each 25 + 10 + 20 = 55, sum 60 | to 2
6-6 2-0 / 3-1 3-0 / 4-0 / 3-2 | 4 4 | 14-0, 7-0, 5-0 | none 26, each 15 + 5 + 5 = 25, sum 25 | to 2
6-5 / 5-3 / 2-2 / 5-2 4-3 4-2 | 1 6 | 8-0, 4-0, 20-0 | none 32, each 10 + 5 + 20 = 35, sum 30 | to 0
6-0 2-1 / 3-3 3-0 2-0 | 4 5 | 11-9 | none 2, each 0 = 0, sum 0 | to 0
6-6 5-3 5-1 1-1 / 6-3 | 4 0 | 28-9 | none 19, each 20 = 20, sum 20 | to 1
2-0 / 1-1 | 5 6 | nobody 2 2
5-1 3-2 3-0 / 5-2 0-0 | 6 4 | 14-7 | none 7, each 5 = 5, sum 5 | to 1
5-5 5-1 / 5-0 2-2 | 6 4 | 16-9 | none 7, each 5 = 5, sum 5 | to 1
5-4 4-4 / 5-2 4-0 2-2 1-1 | 3 6 | nobody 17 17
6-5 3-0 / 2-2 | 1 4 | 14-4 | none 10, each 10 = 10, sum 10 | to 1
5-1 3-1 / 5-5 4-2 2-1 1-1 | 0 6 | 21-10 | none 11, each 10 = 10, sum 10 | to 0
6-2 6-1 2-1 / 6-6 6-4 4-4 2-2 | 3 0 | 34-18 | none 16, each 15 = 15, sum 15 | to 0
6-3 2-0 / 4-4 / 3-0 0-0 | 5 5 | 11-3, 8-3 | none 13, each 10 + 5 = 15, sum 15 | to 2
6-6 5-0 / 5-5 5-3 1-1 / 6-1 3-0 | 2 2 | 17-10, 20-10 | none 17, each 5 + 10 = 15, sum 15 | to 2
6-6 6-5 5-2 / 6-2 6-0 / 6-4 2-2 | 3 1 | nobody 30 14 14
6-1 4-3 3-3 / 5-3 / 6-5 4-0 1-0 | 2 2 | 20-8, 16-8 | none 20, each 10 + 10 = 20, sum 20 | to 1
5-3 4-4 4-1 / 6-0 4-0 1-0 / 1-1 | 2 2 | 21-2, 11-2 | none 28, each 20 + 10 = 30, sum 30 | to 2
3-1 1-1 / 4-1 1-0 / 6-4 6-0 0-0 | 5 2 | nobody 6 6 16
6-3 6-1 5-3 / 6-2 5-5 3-2 / 6-5 | 4 0 | 24-11, 23-11 | none 25, each 15 + 10 = 25, sum 25 | to 2
6-0 4-3 / 4-4 3-3 3-1 / 3-0 | 5 2 | 13-3, 18-3 | none 25, each 10 + 15 = 25, sum 25 | to 2
3-3 / 6-5 2-2 / 6-1 1-1 | 4 0 | 15-6, 9-6 | none 12, each 10 + 5 = 15, sum 10 | to 0
6-2 5-2 3-1 / 5-1 2-1 / 6-6 6-5 2-2 | 0 4 | 19-9, 27-9 | none 28, each 10 + 20 = 30, sum 30 | to 1
6-3 4-3 / 5-4 3-3 / 6-4 | 1 2 | 16-10, 15-10 | none 11, each 5 + 5 = 10, sum 10 | to 2
1-0 / 2-1 / 5-3 | 6 4 | 3-1, 8-1 | none 9, each 0 + 5 = 5, sum 10 | to 0
3-3 / 5-5 3-1 / 5-4 / 4-1 1-1 | 0 6 | 14-6, 9-6, 7-6 | none 12, each 10 + 5 + 0 = 15, sum 10 | to 0
1-1 / 2-1 2-0 / 4-1 / 6-1 | 3 5 | 5-2, 5-2, 7-2 | none 11, each 5 + 5 + 5 = 15, sum 10 | to 0
5-2 3-0 2-2 / 5-5 5-0 / 4-2 / 3-3 | 1 6 | nobody 14 15 6 6
4-4 3-3 1-1 / 1-0 / 3-1 / 6-3 4-3 | 5 2 | 16-1, 4-1, 16-1 | none 33, each 15 + 5 + 15 = 35, sum 35 | to 1
5-1 3-3 / 6-4 4-4 3-1 / 6-2 6-1 5-3 / 4-2 | 0 0 | 12-6, 22-6, 23-6 | none 39, each 5 + 15 + 15 = 35, sum 40 | to 3
6-0 2-0 0-0 / 4-4 / 6-6 2-1 / 6-2 1-0 | 3 5 | nobody 8 8 15 9
4-4 4-1 4-0 / 3-0 / 3-1 2-2 0-0 / 4-2 3-2 2-0 | 6 5 | 17-3, 8-3, 13-3 | none 29, each 15 + 5 + 10 = 30, sum 30 | to 1
6-5 5-3 / 5-2 3-3 / 2-0 / 6-3 5-4 | 1 1 | 19-2, 13-2, 18-2 | none 44, each 15 + 10 + 15 = 40, sum 45 | to 2
3-0 2-0 / 5-4 3-2 2-2 / 4-2 / 5-5 4-3 4-0 | 1 6 | 18-5, 6-5, 21-5 | none 30, each 15 + 0 + 15 = 30, sum 30 | to 0
5-1 3-3 / 3-2 1-0 / 3-0 / 3-1 0-0 | 6 4 | 12-3, 6-3, 4-3 | none 13, each 10 + 5 + 0 = 15, sum 15 | to 2
3-0 / 6-5 / 6-0 / 3-2 | 1 1 | 11-3, 6-3, 5-3 | none 13, each 10 + 5 + 0 = 15, sum 15 | to 0
5-2 / 0-0 | 2 3 | 0-0 | none 0, each 0 = 0, sum 0 | to 0
0-0 / 1-1 | 5 6 | 2-0 | none 2, each 0 = 0, sum 0 | to 0
0-0 / 2-1 / 1-1 | 5 6 | 3-0, 2-0 | none 5, each 5 + 0 = 5, sum 5 | to 0
4-1 / 3-2 / 5-0 | 6 6 | nobody 5 5 5
"""
# Likewise for two pairs, seats 0 and 2 against 1 and 3, with the pips of both hands; a pair is at 0 when one is out.
PAIR_ENDINGS = """
5-0 1-1 / 6-4 / 2-2 1-0 0-0 / 5-2 2-1 | 3 6 | 12-0 | none 12, each 10 = 10, sum 10 | to 1
5-1 1-0 / 5-0 4-0 / 2-2 / 6-1 | 3 6 | 11-0 | none 11, each 10 = 10, sum 10 | to 1
5-5 3-2 3-1 / 3-3 / 6-6 5-1 / 6-5 6-3 5-3 | 4 0 | 37-34 | none 3, each 5 = 5, sum 5 | to 1
3-0 / 4-1 / 1-0 0-0 / 6-0 | 4 5 | 4-0 | none 4, each 5 = 5, sum 5 | to 1
6-4 4-1 / 6-0 / 4-0 2-2 2-1 / 6-1 4-2 | 3 5 | 26-19 | none 7, each 5 = 5, sum 5 | to 1
5-0 / 5-4 / 3-0 / 5-5 3-3 | 1 4 | 8-0 | none 8, each 10 = 10, sum 10 | to 1
2-1 / 5-1 / 3-0 / 6-5 1-1 1-0 | 2 4 | 20-0 | none 20, each 20 = 20, sum 20 | to 0
6-0 4-4 3-0 / 6-6 0-0 / 5-2 / 6-3 3-1 1-1 | 2 5 | 27-0 | none 27, each 25 = 25, sum 25 | to 0
4-2 2-1 / 5-5 1-1 0-0 / 4-4 2-2 1-0 / 4-0 | 3 6 | 22-16 | none 6, each 5 = 5, sum 5 | to 1
4-1 / 3-3 / 3-0 / 1-1 | 6 2 | nobody 8 8
5-0 / 6-2 / 0-0 / 5-5 | 4 4 | 18-5 | none 13, each 15 = 15, sum 15 | to 0
6-6 / 2-1 / 5-1 / 3-0 | 4 4 | 18-6 | none 12, each 10 = 10, sum 10 | to 1
"""


def rows_of(text):
    return [tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines()]


# The score of the open ends


def laid(moves):
    """Returns a table of two seats that laid these tiles in turn, and the scores before the last one."""
    fillers = [
        tile
        for tile in ("6-6", "5-5", "4-4", "6-5", "6-4", "5-4", "3-3", "2-2", "1-1", "0-0", "6-3", "4-3", "1-0", "6-2")
        if tile not in " ".join(moves)
    ]
    hands = [" ".join([*(move[:3] for move in moves[seat::2]), fillers[seat]]) for seat in (0, 1)]  # so that nobody is out
    table = set_deal(Table(load_game("all_fives", target=None), seed=0), hands)
    play(table, *moves[:-1])
    before = table.scores
    return play(table, moves[-1]), before


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(("line", "total", "score"), rows_of(BOARDS))
def test_a_total_of_the_ends_that_five_divides_is_scored(line, total, score):
    moves = line.split()
    table, before = laid(moves)
    worked, pips = total.split(" = ")
    terms = [term.split("*") for term in worked.split(" + ")]
    assert sum(int(term[0]) * int(term[1]) if len(term) == 2 else int(term[0]) for term in terms) == int(pips)
    mover = (len(moves) - 1) % 2
    assert (table.scores - before).tolist() == [int(score) if seat == mover else 0 for seat in (0, 1)]


def test_the_score_is_that_of_the_line_redrawn_from_its_history():
    game = load_game("all_fives", 3, target=None, max_hands=12)
    before = {}
    for table in random_positions(game, games=10):
        state, line = table.state, layout(table)["line"]
        if state.history_size == 0 or table.done:
            before = table.scores
            continue
        gained, before = (table.scores - before).tolist(), table.scores
        mover, placed = state.history_seats[state.history_size - 1], state.history[state.history_size - 1] < 56
        total = sum(line[0]) if len(line) == 1 else end_of(line[0], 0) + end_of(line[-1], 1)
        due = total if placed and total % 5 == 0 else 0
        assert gained == [due if seat == mover else 0 for seat in range(3)]


def end_of(tile, outer):
    """Returns what an outermost tile counts: both halves of a double, else its outer half."""
    return sum(tile) if tile[0] == tile[1] else tile[outer]


def test_fosters_opening():
    table = set_deal(Table(load_game("all_fives"), seed=0), ["5-5 0-0 4-0 1-1 2-1", "5-0 6-5 3-3 2-2 3-2"])
    play(table, "5-5>L")
    assert table.scores.tolist() == [10, 0]
    play(table, "5-0>L")  # 0 + 10
    assert table.scores.tolist() == [10, 10]
    play(table, "0-0>L")  # 0 + 10
    assert table.scores.tolist() == [20, 10]
    play(table, "6-5>R")  # 0 + 6
    assert table.scores.tolist() == [20, 10]
    play(table, "4-0>L")  # 4 + 6
    assert table.scores.tolist() == [30, 10]


def test_a_double_counts_both_halves():
    """Ends 3 and 6, and 6-6 on the 6: 3 + 12 = 15."""
    table = position("all_fives", ["6-6 1-0", "1-1"], ends=(3, 6))
    assert play(table, "6-6>R").scores.tolist() == [15, 0]


@pytest.mark.parametrize(("reply", "score"), [("4-3>R", 2 + 3), ("4-4>R", 2 + 8)])
def test_britannicas_replies_to_the_lead_of_4_2(reply, score):
    table = set_deal(Table(load_game("all_fives"), seed=0), ["4-2 6-6", "4-3 4-4 0-0"])
    assert play(table, "4-2>L").scores.tolist() == [0, 0]  # 6
    assert play(table, reply).scores.tolist() == [0, score]


@pytest.mark.parametrize(
    ("tile", "score"), [("6-4", 10), ("5-5", 10), ("3-2", 5), ("4-1", 5), ("5-0", 5), ("6-6", 0), ("0-0", 0), ("6-5", 0)]
)
def test_the_opening_tile_counts_its_pips_once(tile, score):
    """5-5 is 10, not 20; a total of 0 does not score."""
    table = set_deal(Table(load_game("all_fives"), seed=0), [f"{tile} 1-1", "2-2 3-3"])
    assert play(table, f"{tile}>L").scores.tolist() == [score, 0]


def test_the_largest_score_is_twenty():
    """6-6 at one end and 4-4 at the other: 12 + 8 = 20."""
    table = position("all_fives", ["4-4 1-0", "1-1"], ends=(6, 4), exposed=(True, False))
    assert play(table, "4-4>R").scores.tolist() == [20, 0]


def test_every_mover_scores_a_total_that_stays():
    """10 + 0 stays 10 when 0-0 is laid on the blank, and is scored again."""
    table = position("all_fives", ["0-0 3-1", "1-1"], ends=(5, 0), exposed=(True, False))
    assert play(table, "0-0>R").scores.tolist() == [10, 0]


@pytest.mark.parametrize(
    ("ends", "exposed", "legal"),
    [
        ((5, 5), (False, False), {"5-3>L"}),  # either leaves 3 + 5
        ((5, 5), (True, False), {"5-3>L", "5-3>R"}),  # left leaves 3 + 5, right 10 + 3
        ((5, 5), (False, True), {"5-3>L", "5-3>R"}),
        ((5, 5), (True, True), {"5-3>L"}),  # a lone 5-5: either leaves 3 + 10
        ((5, 3), (False, False), {"5-3>L", "5-3>R"}),  # 3 + 3 or 5 + 5
    ],
)
def test_placements_are_one_action_where_they_leave_one_layout(ends, exposed, legal):
    assert names(position("all_fives", ["5-3 1-1", "2-2"], ends=ends, exposed=exposed)) == legal


@pytest.mark.parametrize("exposed", [(False, False), (True, False), (False, True)])
def test_an_exposed_double_blank_counts_as_a_blank(exposed):
    assert names(position("all_fives", ["3-0 1-1", "2-2"], ends=(0, 0), exposed=exposed)) == {"3-0>L"}


# The end of a hand


def played_out(hands, ends, **options):
    table = position("all_fives", hands.split(" / "), ends=tuple(map(int, ends.split())), target=None, max_hands=1, **options)
    while not table.done:
        play(table, table.game.action_to_string(table.legal_actions()[0]))
    return table


def check_ending(row, sides, **options):
    """Plays a row out with each kind of rounding; `sides` is the number of sides."""
    due, winner = {"none": 0, "r5_each": 0, "r5_sum": 0}, None
    if len(row) == 5:
        due, winner = worked(*row[2:4]), int(row[4].split()[1])
    for rounding, points in due.items():
        table = played_out(*row[:2], hand_end_rounding=rounding, **options)
        players = range(table.game.num_players)
        assert table.hand_points.tolist() == [points if seat % sides == winner else 0 for seat in players]


def worked(differences, paid):
    """Returns what each kind of rounding pays, from `"11-3, 6-3"` and `"none 11, each 10 + 5 = 15, sum 10"`."""
    none, each, total = (part.split(" ", 1)[1] for part in paid.split(", "))
    terms = [int(term) for term in each.split(" = ")[0].split(" + ")]
    pairs = [tuple(map(int, pair.split("-"))) for pair in differences.split(", ")]
    assert sum(terms) == int(each.split(" = ")[1])
    assert sum(other - own for other, own in pairs) == int(none)
    assert all(abs(other - own - term) <= 2 for (other, own), term in zip(pairs, terms, strict=True))
    return {"none": int(none), "r5_each": sum(terms), "r5_sum": int(total)}


@pytest.mark.parametrize("row", rows_of(ENDINGS), ids=lambda row: row[0])
def test_a_hand_pays_the_rounded_differences_of_the_pips(row):
    check_ending(row, sides=len(row[0].split(" / ")))


@pytest.mark.parametrize("row", rows_of(PAIR_ENDINGS), ids=lambda row: row[0])
def test_pairs_count_as_one_player_with_both_hands_and_one_rounding(row):
    check_ending(row, sides=2, partnership=True)


@pytest.mark.parametrize("difference", range(31))
def test_rounding_is_to_the_nearest_five(difference):
    """0 1 2 | 3 4 5 6 7 | 8 ... 12 | 13 ...: a whole number is never half way."""
    pairs = {(a, b): a + b for b in range(5) for a in range(b + 1)}  # tiles without a 5 or a 6, to be left with
    hand, pips = [], difference
    for tile in sorted(pairs, key=pairs.get, reverse=True):
        if pairs[tile] <= pips and pairs[tile]:
            hand.append(tile)
            pips -= pairs[tile]
    assert pips == 0
    table = position("all_fives", [[(5, 6)], [*hand, (0, 0)]], ends=(5, 5), max_hands=1, target=None)
    points = play(table, "6-5>L").hand_points.tolist()  # 6 + 5 does not score in play
    assert points == [min(range(0, 36, 5), key=lambda five: abs(five - difference)), 0]


def test_the_last_tile_scores_in_play_and_then_the_hand():
    """Ends 4 and 3, and 3-1 goes out on the 3: 4 + 1 = 5; then 6-2 with 8 pips rounds to 10."""
    table = play(position("all_fives", ["3-1", "6-2"], ends=(4, 3)), "3-1>R")
    assert table.scores.tolist() == [5 + 10, 0]
    assert table.hand_points.tolist() == [10, 0]


# The deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal(players):
    state = Table(load_game("all_fives", players), seed=1).state
    assert state.hand_sizes.tolist() == [5] * players
    assert state.boneyard_size == {2: 18, 3: 13, 4: 8}[players]


# Bounds


@pytest.mark.parametrize(("players", "bound", "placements"), [(2, 67, 25), (3, 84, 24), (4, 99, 23)])
def test_a_hand_is_no_longer_than_proven(players, bound, placements):
    """Every player may decide once on the points of every tile."""
    assert load_game("all_fives", players).max_hand_length == bound
    assert load_game("all_fives", players, claim_mode="muggins").max_hand_length == bound + players * placements
