"""Asking a trained network: from free text to an answer with its evidence.

| file | what it holds |
| --- | --- |
| `parser`, `clauses` | a story as people type it, or in the bAbI format, taken apart into facts and questions |
| `predictor`, `encoded` | a network with its vocabulary that answers questions, and a story that it has taken in |
| `arguments`, `description` | what Python hands to a network is looked at; a network in words |
| `answer`, `reasons`, `ranking` | an answer with its probability and what each hop read; why there is none; the likeliest |
| `pairs` | a key-value memory of question-answer pairs |
| `example`, `story_file` | an example of a task and whether its answer is right; a story from a file |
| `hub`, `networks/` | networks by name, and those that come with the package |

`memnet.show` draws an answer; `memnet.prompt` and `memnet.serve` let people ask.
"""
