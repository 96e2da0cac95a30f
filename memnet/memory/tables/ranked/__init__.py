"""A question about a table as a query: many are made of its words, and small networks say how likely each is.

| file | what it holds |
| --- | --- |
| `naming` | what rows are called: the columns of names, people and codes |
| `concepts`, `asked` | what columns are about; how a question speaks of each column |
| `linking`, `days`, `conditions` | cells and dates that words may mean; all conditions that words may be |
| `queries`, `query` | conditions that go together, and what may be asked of rows; a query and its answer |
| `features`, `candidates` | what a network sees of a query; all queries of a question |
| `scorer`, `answering` | the networks; the likeliest answer, or why there is none |
| `untold` | questions that a table does not answer, to learn refusals from |

:mod:`memnet.measure.query_training` trains the networks.
"""
