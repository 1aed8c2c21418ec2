"""Moriarty & Miikkulainen 1994: networks that focus a search in Othello."""
