"""Exporters: turn papers into text, one module for each format. Pure."""
