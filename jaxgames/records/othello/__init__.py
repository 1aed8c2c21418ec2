"""Records of Othello: WTHOR."""
