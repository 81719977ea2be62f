"""The commands of ``exactdp``, one module each; ``verify.cli`` mounts them.

A module imports only the standard library, typer and its neighbours at the top and everything else
inside the function, so that ``--help`` stays fast. A command reads its input (``verify.intake``),
computes, and ends with ``output.conclude``, which prints the outcome and leaves with the exit code
of the verdict. It raises ``InputError`` for bad input; ``verify.cli.run`` turns that into one line
and exit code 2.
"""
