"""What the drawings and the text boards of all games share."""
