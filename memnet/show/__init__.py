"""An answer as people see it: at a terminal, as HTML, and as a figure."""
