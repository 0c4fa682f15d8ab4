"""`python -m raceline` is the command line."""

from ._command_line import main

main()
