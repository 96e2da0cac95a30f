"""What a story says, told to who asks: "my aunt" is "your aunt"."""

from __future__ import annotations

from memnet.tasks.text.english import DETERMINERS, TIMES, of_class

OF_SPEAKER = {"i": "you", "me": "you", "my": "your", "mine": "yours", "we": "you", "us": "you", "our": "your", "ours": "yours"}
OF_SPEAKER |= {"myself": "yourself", "ourselves": "yourselves", "i'm": "you're"}
OF_SPEAKER |= {f"{who}'{verb}": f"you'{verb}" for who in ("i", "we") for verb in ("ve", "ll", "d", "re")}
OWNED = of_class("a an the this that old coal gold")  # before "mine", where metal comes from
OF_I = {"was": "were", "am": "are", "wasn't": "weren't"}  # beside "I"
BEGINNING = DETERMINERS | of_class("in on at to from by with under behind because since")


def for_asker(text: str, said_before: str = "") -> str:
    """What the teller calls "my" is the asker's "your"; not in names ("Elizabeth I", "the US"), nor "the mine".

    ``said_before`` is the word before it, where there is one.

    >>> for_asker("I was with my aunt"), for_asker("how old I am"), for_asker("the US"), for_asker("Elizabeth I")
    ('you were with your aunt', 'how old you are', 'the US', 'Elizabeth I')
    >>> for_asker("On Monday I left")
    'On Monday you left'
    >>> for_asker("mine"), for_asker("mine", said_before="the")
    ('yours', 'mine')
    """
    words = text.split(" ")
    low = [word.lower().replace("\u2019", "'") for word in words]
    said = list(words)
    for place, word in enumerate(low):
        before = words[place - 1] if place else said_before
        named = before[:1].isupper() and before != "I" and before.lower() not in TIMES and place > 0 and words[place] == "I"
        if word not in OF_SPEAKER or named or words[place] == "US" or (word == "mine" and before.lower() in OWNED):
            continue
        said[place] = OF_SPEAKER[word]
        if word == "i" and place + 1 < len(words):
            said[place + 1] = OF_I.get(low[place + 1], words[place + 1])
    return " ".join(said)


def in_small(text: str, begin: int) -> str:
    """What begins a sentence, as it is written within one: "The hotel" is "the hotel".

    >>> in_small("The hotel", 0), in_small("The Hague", 4), in_small("May", 0)
    ('the hotel', 'The Hague', 'May')
    """
    first, _, rest = text.partition(" ")
    return f"{first.lower()} {rest}" if begin == 0 and rest and first.lower() in BEGINNING else text
