"""`houserule completion`: the script that teaches a shell to complete `houserule`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .output import say

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the completion script of a shell.

    \b
    bash: eval "$(houserule completion bash)"
    zsh:  eval "$(houserule completion zsh)"
    fish: houserule completion fish | source
    """
    found = get_completion_class(shell)
    assert found is not None
    say(found(ctx.find_root().command, {}, "houserule", "_HOUSERULE_COMPLETE").source().rstrip())
    return 0
