"""Numba pipelines that leave optimising to the functions that Python calls.

Numba optimises and translates every function together with all that it calls, so that code deep down is compiled once for
each function above it. Here a function that only compiled code calls waits: it is optimised and translated with each
function that Python calls, once: that takes less time, and makes faster code.
"""

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class _Library(JITCodeLibrary):
    """The code of a function, linked with that of all it calls."""

    def add_linking_library(self, library):
        super().add_linking_library(library)
        if isinstance(library, _WaitingLibrary):
            self._linking_libraries += library._linking_libraries

    def _order_libraries(self):
        """Puts every library once, behind all that call it: LLVM links a function only where it is called already."""
        self._linking_libraries = list(dict.fromkeys(reversed(self._linking_libraries)))[::-1]

    def _link_into(self, module):
        for library in self._linking_libraries:
            waits = isinstance(library, _WaitingLibrary)
            module.link_in(library.own_module() if waits else library._get_module_for_linking(), preserve=True)

    def finalize(self):
        self._order_libraries()
        self._link_into(self._final_module)
        self._linking_libraries = []
        super().finalize()


class _WaitingLibrary(_Library):
    """The code of a function as it was lowered, and the libraries of what it calls."""

    def finalize(self):
        self._raise_if_finalized()
        self._order_libraries()
        self._finalized = True

    def own_module(self):
        """Returns the code of this function alone."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self):
        """Returns the code with that of all it calls, for functions that were compiled otherwise."""
        module = self.own_module().clone()
        self._link_into(module)
        return module


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerForPython(NativeLowering):
    """Lowers a function, and optimises and translates all its code."""

    _name = "lower_for_python"

    def run_pass(self, state):
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerForCallers(NativeLowering):
    """Lowers a function for others to link; it has no address of its own."""

    _name = "lower_for_callers"

    def run_pass(self, state):
        state.library = _WaitingLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        name = lowered.fndesc.qualname
        known_by = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(known_by, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=known_by)
        return True


class ForCallers(CompilerBase):
    """Compiles a function that only compiled code calls."""

    def define_pipelines(self):
        return [_nopython_passes(self.state, _LowerForCallers)]


class ForPython(CompilerBase):
    """Compiles a function that Python calls, with all that it calls itself."""

    def define_pipelines(self):
        return [_nopython_passes(self.state, _LowerForPython)]


def _nopython_passes(state, lowering):
    passes = DefaultPassBuilder.define_nopython_pipeline(state)
    passes.passes = [(lowering, name) if step is NativeLowering else (step, name) for step, name in passes.passes]
    passes.finalize()
    return passes
