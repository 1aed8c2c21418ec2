"""Pente: five in a row, or captures of pairs."""
