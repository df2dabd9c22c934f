"""The group of commands, each imported only when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from . import __version__
from .messages import use
from .overview import COMMANDS, overview


class Group(click.Group):
    """All commands of `houserule`. A command's module has its name and holds it as `command`."""

    def __init__(self, name: str) -> None:
        version = click.Option(["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version)
        super().__init__(
            name, params=[version], context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
        )

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; importing it is what makes it cost something."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".commands.{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names; WrongUse with the nearest names if there is none."""
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing and not args[0].startswith("-"):
            raise use.unknown_command(args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """The page that `houserule --help` prints."""
        return overview().rstrip()


def _version(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        click.echo(f"houserule {__version__}")
        ctx.exit()
