"""The server of ``memnet serve``.

| file | what it holds |
| --- | --- |
| `web`, `gate` | the application that serves page and endpoint, and what it refuses |
| `endpoint`, `memories` | the JSON endpoint and its limits; stories that the server holds |
| `turns` | whose turn it is |
| `openapi` (`.py`, `.json`) | what programs may ask |
| `page` (`.py`, `.css`, `.js`), `labels`, `links` | the web page; what it calls tasks and networks; where it is |
| `origins`, `connection` | who may ask, by host, origin and token; connections, bounded in number and time |
"""
