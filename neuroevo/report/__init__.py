"""The results of a run in readable form: claims, statistics, tables, figures, pages."""
