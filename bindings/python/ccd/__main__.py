import sys

try:
    from .cli import main

    code = main()
except KeyboardInterrupt:  # before the command has begun
    code = 3
sys.exit(code)
