"""The prompt of ``memnet ask``: `conversation` takes lines and gives text, `commands` are what begins with a slash, and
`line_editing` reads lines at a terminal."""
