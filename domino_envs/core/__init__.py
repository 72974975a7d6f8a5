"""What games are made of: tiles, the line of play, scoring, turns, randomness and the contract of a variant."""
