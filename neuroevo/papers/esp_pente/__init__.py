"""Schrum: players of Pente evolved by ESP."""
