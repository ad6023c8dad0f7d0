"""The commands, one file each. They import the library when they run, so that ``--help`` is quick."""
