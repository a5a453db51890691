"""Old names that still work for one release, with a DeprecationWarning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    """Warns that `old` is now called `new`; by default on behalf of the caller's caller."""
    warnings.warn(f"{old} is deprecated; use {new}", DeprecationWarning, stacklevel=stacklevel)


def renamed_attribute(old: str, new: str) -> Any:
    """The property that makes an attribute available under its old name, too; for the body of a class."""

    def get(self: Any) -> Any:
        kind = type(self).__name__
        warn_renamed(f"{kind}.{old}", f"{kind}.{new}")
        return getattr(self, new)

    return property(get, doc=f"Deprecated: `{new}`.")


def renamed_keywords(**renamed: str) -> Callable[[T], T]:
    """Decorates a function or a class so that it still accepts old keywords: `renamed_keywords(old="new")`."""

    def decorate(target: T) -> T:
        function: Any = target.__init__ if isinstance(target, type) else target

        @wraps(function)
        def accepting(*args: Any, **options: Any) -> Any:
            for old in renamed.keys() & options.keys():
                warn_renamed(f"{target.__name__}({old}=…)", f"{renamed[old]}=")
                options[renamed[old]] = options.pop(old)
            return function(*args, **options)

        if not isinstance(target, type):
            return accepting  # pyright: ignore[reportReturnType]
        target.__init__ = accepting
        return target  # pyright: ignore[reportReturnType]

    return decorate
