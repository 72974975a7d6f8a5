"""Policies of other libraries as agents: stable-baselines3, PyTorch, TorchRL.

None of them is imported but PyTorch: an adapter asks for what an object can do, not for its class.
"""

from typing import Any

import numpy as np
import torch
from torch import nn

from domino_agents.network import masked_log_softmax, sample


class PredictAgent:
    """Plays a model with `predict(observations, action_masks=..., deterministic=...)`, such as sb3-contrib's MaskablePPO.

    Args:
        model: returns the actions first; what follows them is left alone.
        deterministic: play the best action; otherwise the model draws, from a generator of its own.
        name: shown in rankings.
    """

    def __init__(self, model: Any, deterministic: bool = True, name: str = "predict"):
        if not callable(getattr(model, "predict", None)):
            raise TypeError(f"model must have a method predict(observations, action_masks=...), got {model!r}")
        self.model, self.deterministic, self.name = model, deterministic, name

    def act(self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns `actions[B]`."""
        masks = action_mask.astype(np.bool_)
        actions, *_ = self.model.predict(observations, action_masks=masks, deterministic=self.deterministic)
        return np.asarray(actions, np.int64)


class ModuleAgent:
    """Plays a `torch.nn.Module` that returns the logits of the actions, `[B, A]`; illegal ones are masked here.

    A module with `in_keys` and `out_keys` (TensorDict's and TorchRL's) is called with the tensors `observation` and
    `action_mask` that it asks for, by name, and must give `logits`, or else an `action`: a number, or one-hot. An action that
    it draws, it draws from PyTorch's global generator; set its exploration type to play the best one.

    Args:
        module: put into evaluation mode; its inputs go to the device of its weights.
        deterministic: play the action with the highest logit; otherwise draw one.
        name: shown in rankings.
    """

    def __init__(self, module: nn.Module, deterministic: bool = True, name: str = "module"):
        if not isinstance(module, nn.Module):
            raise TypeError(f"module must be a torch.nn.Module, got {type(module).__name__}")
        self.module, self.deterministic, self.name = module.eval(), deterministic, name
        self._in_keys = list(getattr(module, "in_keys", []))
        self._out_keys = list(getattr(module, "out_keys", ["logits"]))
        unknown = set(self._in_keys) - {"observation", "action_mask"}
        if unknown or not {"logits", "action"} & set(self._out_keys):
            raise ValueError(
                "module must take 'observation' and 'action_mask' and give 'logits' or 'action', "
                f"it takes {self._in_keys} and gives {self._out_keys}"
            )

    @torch.no_grad()
    def act(self, observations: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns `actions[B]`."""
        device = next((weight.device for weight in self.module.parameters()), torch.device("cpu"))
        masks = torch.from_numpy(np.ascontiguousarray(action_mask)).bool()
        views = torch.from_numpy(np.ascontiguousarray(observations))
        given = {"observation": views.to(device), "action_mask": masks.to(device)}
        if not hasattr(self.module, "in_keys"):
            return self._choose(self.module(given["observation"]), masks, rng)
        result = self.module(**{key: given[key] for key in self._in_keys})
        outputs = dict(zip(self._out_keys, result if isinstance(result, tuple) else (result,), strict=True))
        if "logits" in outputs:
            return self._choose(outputs["logits"], masks, rng)
        action = outputs["action"]
        return (action.long().argmax(-1) if action.ndim > 1 else action).cpu().numpy().astype(np.int64)

    def _choose(self, logits: torch.Tensor, masks: torch.Tensor, rng: np.random.Generator) -> np.ndarray:
        if logits.shape != masks.shape:
            raise ValueError(f"{self.name} must give logits of shape {tuple(masks.shape)}, got {tuple(logits.shape)}")
        log_policy = masked_log_softmax(logits.cpu(), masks)
        if self.deterministic:
            return log_policy.argmax(-1).numpy()
        return sample(log_policy, torch.Generator().manual_seed(int(rng.integers(2**63)))).numpy()
