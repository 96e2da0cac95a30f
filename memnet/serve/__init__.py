"""The server of ``memnet serve``.

| file | what it holds |
| --- | --- |
| `web`, `gate` | the application that serves page and endpoint, and what it refuses |
| `endpoint`, `memories` | the JSON endpoint and its limits; stories that the server holds |
| `turns` | whose turn it is |
| `openapi` (`.py`, `.json`) | what programs may ask |
| `page` (`.py`, `.css`, `.js`), `labels`, `links` | the web page; what it calls tasks and networks; where it is |
| `lesson` (`.py`, `.html`, `.toml`) | the page for the wall of a classroom, and its stories |
| `watch` (`.py`, `.html`) | the page of `memnet train --watch`, by the standard library alone |
| `origins`, `connection` | who may ask, by host, origin and token; connections, bounded in number and time |
"""
