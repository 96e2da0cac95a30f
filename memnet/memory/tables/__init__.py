"""Tables in a memory: their rows are kept as keys and values, and a question is read into conditions, a column and what to do.

| file | what it holds |
| --- | --- |
| `stored` | the tables of a memory, made again of their sentences |
| `table`, `cells` | columns, rows and what a row is called; what a cell holds |
| `recast`, `wording`, `named` | a question in the order that is read; its words; the cells that it names |
| `suiting`, `places_left` | yes with exceptions, and what suits; how many fit, and how many are left |
| `limits`, `degrees` | conditions on numbers and dates; "longest", "cheaper" |
| `versus` | conditions on two columns: "cost more than they sell for" |
| `spoken`, `reading` | a question beside a table: cells, headers, a noun; conditions, and what nothing explains |
| `negated` | what "not" denies |
| `addressing` | the rows that meet the conditions, read through the attention core |
| `kinds`, `asked`, `people` | the column that a question asks for: who, when, where; which; what a column of people is |
| `operations`, `told` | what is made of the rows: a cell, a list, or why there is no answer |
| `union`, `each` | conditions with "or" between them; of several things the cell of each |
| `counting`, `most`, `verdicts` | counts and sums; the most, and two compared; yes or no |
| `joined`, `across` | rows of two tables as one; what two tables say to a question of which each knows a part |
| `nested` | a question within a question: two hops |
| `said` | what one table says, and how much of a question it knows |
| `ranked` | all queries that the question may mean, and how likely each is |
| `answers` | the answer with the cells that were read |
"""
