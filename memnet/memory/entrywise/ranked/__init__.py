"""A question about a log as people keep it: which entries tell it, what these make together, and which answer is the likeliest.

| file | what it holds |
| --- | --- |
| `plain` | which logs are left to facts and rules |
| `lines` | entries as words, and how rare these are |
| `matching` | how well entries fit a question in other words, learned |
| `relevance` | how likely an entry tells it, learned |
| `candidates` | the newest, the first, counts, sums, lists: all that the question may mean |
| `features` | what is known of a candidate |
| `answering` | the likeliest, scored as those of tables are |
"""
