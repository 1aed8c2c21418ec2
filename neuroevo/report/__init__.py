"""What a run or an experiment says: claims, tables, figures, pages."""
