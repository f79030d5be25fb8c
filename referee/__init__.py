"""The rules: pure Python, without a web framework, a database, a clock or global randomness."""
