"""The sentence that says why nothing answers a question."""

import pytest

from memnet.ask.untold import why_untold


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("Why was Mum angry?", "nothing says why Mum was angry"),
        ("Why is the server down?", "nothing says why the server is down"),
        ("Is there any tea?", "nothing says whether there is any tea"),
        ("What is in the letter?", "nothing says what is in the letter"),
        ("What is under the bed?", "nothing says what is under the bed"),
        ("Where was Tom born?", "nothing says where Tom was born"),
        ("Will it rain tomorrow?", "nothing says whether it will rain tomorrow"),
        ("Would Ann like tea?", "nothing says whether Ann would like tea"),
        ("Is Tom's sister a doctor?", "nothing says whether Tom's sister is a doctor"),
        ("Is Ann older than Bob?", "nothing says whether Ann is older than Bob"),
        ("When was the house built?", "nothing says when the house was built"),
        ("What has Ann eaten?", "nothing says what Ann has eaten"),
        ("where's my hat", "nothing says where your hat is"),
        ("why didn't Tom come", "nothing says why Tom did not come"),
        ("isn't Tom at home", "nothing says whether Tom is at home"),
        ("tell me where Mary is", "nothing says where Mary is"),
        ("Who is coming?", "nothing says who is coming"),
        ("When did Aunt May plant the roses?", "nothing says when Aunt May planted the roses"),
        ("When did Ann and Bob meet?", "nothing says when Ann and Bob met"),
        ("When does the shop on the corner open?", "nothing says when"),
        ("How old am I?", "nothing says how old you are"),
        ("Where is the coffee machine?", "nothing says where the coffee machine is"),
        ("Is the coffee machine broken?", "nothing says whether the coffee machine is broken"),
        ("Who is Ben's grandfather?", "nothing says who Ben's grandfather is"),
        ("Who is Tom?", "nothing says who Tom is"),
        ("Which bus is late?", "nothing says which bus is late"),
        ("What colour is the car?", "nothing says what colour the car is"),
        ("How many eggs did Ann buy?", "nothing says how many eggs Ann bought"),
        ("How many eggs are left?", "nothing says how many eggs are left"),
        ("How much is the lamp?", "nothing says how much the lamp is"),
        ("Who has the lamp?", "nothing says who has the lamp"),
        ("Who can swim?", "nothing says who can swim"),
        ("What can Ann do?", "nothing says what Ann can do"),
        ("Did the bus stop?", "nothing says whether the bus stopped"),
        ("Do penguins fly?", "nothing says whether penguins fly"),
        ("Is lunch ready?", "nothing says whether lunch is ready"),
        ("Where did we put the bike?", "nothing says where you put the bike"),
        ("why did she borrow it", "nothing says why she borrowed it"),
        ("Who did Ann meet?", "nothing says who Ann met"),
        ("Whose hat is red?", "nothing says whose hat is red"),
        ("Who said Ann was ill?", "nothing says who said Ann was ill"),
        ("What did Ann say about the dog?", "nothing says what Ann said about the dog"),
        ("When is the meeting?", "nothing says when the meeting is"),
        ("Is the lamp red?", "nothing says whether the lamp is red"),
        ("Is my sister at home?", "nothing says whether your sister is at home"),
        ("Where are my keys?", "nothing says where your keys are"),
        ("How long did the meeting take?", "nothing says how long the meeting took"),
        ("What time does the train to York leave?", "nothing says what time"),
        ("Does Ann live in Rome?", "nothing says whether Ann lives in Rome"),
        ("Has Ben eaten lunch?", "nothing says whether Ben has eaten lunch"),
        ("Has the train left?", "nothing says whether the train has left"),
        ("Can Pingu fly?", "nothing says whether Pingu can fly"),
        ("What does Mr Fischer play?", "nothing says what Mr Fischer plays"),
        ("WHAT COLOUR IS MY CAR?", "nothing says what colour your car is"),
        ("Who is taller, Ann or Bob?", "nothing says so"),
        ("What is the name of the dog?", "nothing says what the name of the dog is"),
        ("Why was pump 7 moved?", "nothing says why"),
        ("Who works in the bakery?", "nothing says who works in the bakery"),
        ("Are there any eggs left?", "nothing says whether there are any eggs left"),
        ("How many children does Mrs. Ito have?", "nothing says how many children Mrs. Ito has"),
        ("What was the first thing that Ann bought?", "nothing says what"),
        ("What is the capital of France?", "nothing says what the capital of France is"),
        ("Was Bob there?", "nothing says whether Bob was there"),
        ("Is it cold?", "nothing says whether it is cold"),
        ("Who is the oldest?", "nothing says who"),
        ("Where is Tom going?", "nothing says where Tom is going"),
        ("Which of them is faster?", "nothing says which of them is faster"),
        ("When will the parcel arrive?", "nothing says when the parcel will arrive"),
        ("Did anyone see the cat?", "nothing says whether anyone saw the cat"),
        ("What happened on Monday?", "nothing says what happened on Monday"),
        ("Why is Ann's brother sad?", "nothing says why Ann's brother is sad"),
        ("Where does uncle Tom live?", "nothing says where"),
    ],
)
def test_the_question_in_the_order_of_a_statement(question: str, clause: str):
    assert why_untold(question) == clause


@pytest.mark.parametrize(
    "question", ["", "?", "Why?", "Well, is it?", "asdf", "is", "whether", "tell me", "who " * 30, "Is Ann"]
)
def test_what_is_no_whole_question_has_no_clause_of_its_own(question: str):
    assert why_untold(question) in ("nothing says so", f"nothing says {question.strip()}")


@pytest.mark.parametrize("question", ["Where is " + " " * 50_000 + "Ann", "Has " + "x " * 30_000, "Is " + "Ann " * 20_000])
def test_a_long_question_is_put_as_well(question: str):
    assert why_untold(question).startswith("nothing says")
