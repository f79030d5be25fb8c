"""Benchmarks: one module each, with a docstring and `run(arguments)`. `./waybill bench` lists them."""
