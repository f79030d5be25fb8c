"""Orders as people write them: text to moves and back, and menus of what can be ordered."""
