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
| `endpoint`, `page`, `web` | the JSON endpoint and its limits, the web page, and the application that serves both |
| `hub`, `network/` | networks by name, and the one that comes with the package |
"""
