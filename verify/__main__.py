"""``python -m verify`` is ``exactdp``."""

from verify.cli import main

if __name__ == "__main__":
    main()
