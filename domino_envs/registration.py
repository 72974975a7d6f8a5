"""Tells Gymnasium and PettingZoo the ids of the games, without loading a game's code."""

import sys
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
            # Gymnasium's own checks cost a kernel's time many times over, and run in our tests instead.
            gymnasium.register(
                env_id, entry_point="domino_envs.envs.single:make_env", kwargs={"name": f"{name}_v0"}, disable_env_checker=True
            )


def register_pettingzoo() -> None:
    """Registers `domino_envs/all_fives_v0` and so on with PettingZoo, once, where it has a registry (1.27 on)."""
    import pettingzoo

    from domino_envs.games import game_names

    if not hasattr(pettingzoo, "register"):
        return
    for name in game_names():
        try:
            pettingzoo.spec("aec", f"domino_envs/{name}_v0")
        except Exception:  # PettingZoo's own kinds of "not registered" differ between versions
            pettingzoo.register(
                "aec", f"domino_envs/{name}_v0", entry_point="domino_envs.envs.aec:make_aec", kwargs={"name": f"{name}_v0"}
            )


class _AfterImport(MetaPathFinder):
    """Calls a function once a module has been imported by whoever needs it."""

    def __init__(self, module: str, then):
        self.module, self.then = module, then

    def find_spec(self, name, path=None, target=None):
        if name != self.module:
            return None
        sys.meta_path.remove(self)
        spec = util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Following(spec.loader, self.then)
        return spec


class _Following(Loader):
    """A loader that calls a function after it has run the module."""

    def __init__(self, loader, then):
        self.loader, self.then = loader, then

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        self.then()

    def __getattr__(self, name):
        return getattr(self.loader, name)


def register_when_imported() -> None:
    """Registers with Gymnasium and PettingZoo now where they are loaded, and else as soon as they are.

    `import domino_envs` must not take the time to load them, and `gymnasium.make` must know our ids in either order of
    the imports.
    """
    for module, register in (("gymnasium", register_gymnasium), ("pettingzoo", register_pettingzoo)):
        if module in sys.modules:
            register()
        else:
            sys.meta_path.insert(0, _AfterImport(module, register))
