"""Tables in a memory: their rows are kept as keys and values, and a question is read into conditions, a column and what to do.

| file | what it holds |
| --- | --- |
| `stored` | the tables of a memory, made again of their sentences |
| `table`, `cells` | columns, rows and what a row is called; what a cell holds |
| `wording`, `named` | the words of a question; the cells that it names |
| `limits`, `degrees` | conditions on numbers and dates; "longest", "cheaper" |
| `reading`, `asked` | a question read against a table; the column that it asks for |
| `operations`, `verdicts` | a cell, a list, a count, the most; yes or no |
| `answers` | the answer with the cells that were read |
"""
