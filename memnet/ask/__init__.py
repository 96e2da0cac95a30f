"""Asking a trained network: from free text to an answer with its evidence.

| file | what it holds |
| --- | --- |
| `parser`, `clauses` | a story as people type it, or in the bAbI format, taken apart into facts and questions |
| `predictor`, `encoded` | a network with its vocabulary that answers questions, and a story that it has taken in |
| `arguments`, `description` | what Python hands to a network is looked at; a network in words |
| `answer`, `notebook` | an answer with its probability and what each hop read; the same as HTML for notebooks |
| `pairs` | a key-value memory of question-answer pairs |
| `conversation`, `terminal`, `screen` | the conversation of ``memnet ask``, line editing, and how text is laid out |
| `commands`, `example` | the prompt's commands; an example of a task and whether its answer is right |
| `endpoint` | the JSON endpoint and its limits |
| `page` (`.py`, `.css`, `.js`), `labels` | the web page; what it calls tasks and networks |
| `panel`, `folding`, `picture` | an answer on the page, a long story folded, and the picture of it to save |
| `web`, `gate` | the application that serves page and endpoint, and what it refuses |
| `origins`, `connection` | who may ask, by host and origin; connections, bounded in number and time |
| `hub`, `networks/` | networks by name, and the one that comes with the package |
"""
