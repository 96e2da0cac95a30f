"""A question beside a table as a query, where not all of its words are explained: conditions, a column and what to do.

The tables' own reading (:mod:`memnet.memory.tables.reading`) answers where every word of a question is in a cell or a header.
People ask in other words. Here words are linked to cells and headers as far as they go (schema linking), columns are scored,
and the best query answers if little is left. Written by hand, as the other reading is.

| file | what it holds |
| --- | --- |
| `concepts` | what columns are about, and how people ask for it: a price, a place, who holds a thing (`concepts.toml`) |
| `linking` | the cells and the dates that words of a question may mean |
| `amounts` | conditions on numbers, on what is empty, and on yes and no |
| `targets` | the column that is asked for, by the question word, headers and concepts |
| `query` | conditions and what to do with the rows that meet them |
| `conditions` | the conditions of a question, the rows that meet them, and the column that is left to be asked for |
| `parsing` | a question as a query, and how much of it that explains |
| `choosing` | which of the two readings answers |
"""
