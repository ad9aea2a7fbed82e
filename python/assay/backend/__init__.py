"""Engines, and what loads and changes models for them, one module each."""
