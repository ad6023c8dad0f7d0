"""Compiled kernels: deterministic functions of arrays and of a generator that is passed in.

Callers check and allocate; kernels trust and fill.
"""
