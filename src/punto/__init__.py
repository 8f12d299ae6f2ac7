"""Punto: baccarat tables by the book, their mathematics, and a record that anyone can check."""

__version__ = "0.4.0"
