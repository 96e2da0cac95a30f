"""The server of ``memnet serve``.

| file | what it holds |
| --- | --- |
| `web`, `gate` | the application that serves page and endpoint, and what it refuses |
| `endpoint` | the JSON endpoint and its limits |
| `page` (`.py`, `.css`, `.js`), `labels` | the web page; what it calls tasks and networks |
| `origins`, `connection` | who may ask, by host and origin; connections, bounded in number and time |
"""
