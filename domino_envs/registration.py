"""Tells Gymnasium and PettingZoo the ids of the games, without loading a game's code.

Neither looks for other packages' environments by itself (Gymnasium has loaded no plugins since 1.0, PettingZoo never
has), so `import domino_envs` is what registers, and it must not take the time to load either of them.
"""

import sys
from collections.abc import Callable
from importlib import util
from importlib.abc import Loader, MetaPathFinder


def camel_case(name: str) -> str:
    """Returns `"AllFives"` for `"all_fives"`."""
    return "".join(word.capitalize() for word in name.split("_"))


def register_gymnasium() -> None:
    """Registers `domino_envs/AllFives-v0` and so on with Gymnasium, once."""
    import gymnasium

    from domino_envs.games import game_names

    for name in game_names():
        env_id = f"domino_envs/{camel_case(name)}-v0"
        if env_id not in gymnasium.registry:
            # Gymnasium's own checks cost a kernel's time many times over, and run in our tests instead. A batch of its own
            # would leave the learner without a legal action after every end.
            gymnasium.register(
                env_id,
                entry_point="domino_envs.envs.single:make_env",
                vector_entry_point="domino_envs.envs.gym_vector:make_gym_vec",
                kwargs={"name": f"{name}_v0"},
                disable_env_checker=True,
            )


def register_pettingzoo() -> None:
    """Registers `domino_envs/all_fives_v0` and so on with PettingZoo, once, where it has a registry (1.27 on)."""
    import pettingzoo

    from domino_envs.games import game_names

    if not hasattr(pettingzoo, "register"):
        return
    for name in game_names():
        env_id = f"domino_envs/{name}-v0"  # as PettingZoo spells `domino_envs/all_fives_v0`; it takes both
        if env_id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id, entry_point="domino_envs.envs.aec:make_aec", kwargs={"name": f"{name}_v0"})


def register_when_imported() -> None:
    """Registers with Gymnasium and PettingZoo now where they are loaded, and else as soon as they are."""
    for module, register in (("gymnasium", register_gymnasium), ("pettingzoo", register_pettingzoo)):
        if module in sys.modules:
            register()
        else:
            sys.meta_path.insert(0, _AfterImport(module, register))


class _AfterImport(MetaPathFinder, Loader):
    """Calls a function once a module has been run by whoever imports it; only asking for its spec calls nothing."""

    def __init__(self, module: str, then: Callable[[], None]):
        self.module, self.then = module, then
        self.searching = False

    def find_spec(self, name, path=None, target=None):
        if name != self.module or self.searching:
            return None
        self.searching = True
        try:
            spec = util.find_spec(name)
        finally:
            self.searching = False
        if spec is not None and spec.loader is not None:
            self.loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        """Runs the module by its own loader, which it keeps from then on."""
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        sys.meta_path.remove(self)
        self.then()
