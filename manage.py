#!/usr/bin/env python
import os
import sys


def main() -> None:
    if sys.argv[1:] == ["up"]:
        from config.up import up  # before Django: it chooses the environment that settings read

        sys.exit(up())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
