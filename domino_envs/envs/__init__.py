"""The faces of the games: PettingZoo, Gymnasium, the batch, stable-baselines3."""
