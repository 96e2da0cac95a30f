"""The commands of the prompt, and lines that are neither statements nor questions."""

from __future__ import annotations

import re

from memnet.tasks.text import words
from memnet.tasks.text.english import of_class

COMMANDS = {
    "story": ("", "the story so far"),
    "undo": ("", "drop the last statement; after /reset, /load or /task: have the story before it back"),
    "reset": ("", "forget the story"),
    "load": ("FILE", "take the story of a file: a statement a line, or the bAbI format"),
    "task": ("N", "an example of bAbI task N, 1 to 20: a story, a question, and whether the answer is right"),
    "model": ("[RUN]", "which network answers; or let another one, keeping the story"),
    "why": ("", "what each hop read for the last answer, in percent"),
    "save": ("FILE", "the story as text, or, as .png, .svg or .pdf, what was read for the last answer"),
    "help": ("", "this"),
    "quit": ("", "leave; so does Ctrl-D"),
}
SYNONYMS = {"exit": "quit", "bye": "quit", "q": "quit", "history": "story", "clear": "reset", "restart": "reset", "?": "help"}
RULES = (
    "A sentence is remembered. A line with a question mark is a question, and so is one without a full stop that begins with "
    "where, what, who, is, did, has, can and the like, or with tell me; where is, who has and the like ask with one too. "
    "A star marks the statements that an answer relied on. Tab completes words, commands and the question of an example."
)
GREETINGS = of_class("hello hi hey hiya greetings there good morning afternoon evening night day ok okay help me please memnet")
THANKS, FAREWELL = (
    of_class("thanks thank you cheers very much so a lot"),
    of_class("good goodbye bye see you later soon tomorrow"),
)
SMALL_TALK = GREETINGS | THANKS
ABOUT_ITSELF = re.compile(
    r"(?:who|what) are you|what(?: can you do|'?s your name| is your name)|how do you work|who (?:made|built|wrote) you|"
    r"how are you(?: doing)?(?: today)?|what'?s up|are you (?:an? )?(?:robot|bot|human|person|machine|ai|there)|"
    r"tell me (?:a joke|about yourself)|do you (?:speak|understand) english"
)
MEANT = {"start over": "reset", "forget everything": "reset", "forget it all": "reset", "undo that": "undo"}
MEANT |= {"take that back": "undo", "show me the story": "story", "go away": "quit"}
WELCOME, SEE_YOU = "You are welcome.", "/quit leaves, and so does Ctrl-D."
DISAGREES = re.compile(r"(?:no,? )?(?:that'?s|that is|this is|you are|you're|it'?s) (?:wrong|not (?:right|true|correct))|wrong")
HELLO = "Hello. Tell me a story, a sentence a line, and ask about it; /help lists what else there is."
THEN_TELL = "Then tell me how it is: what is said last holds. /undo drops the last statement, /why shows what was read."
WITHOUT_SPACES = re.compile(  # two letters of a script that puts no spaces between words: Thai, Lao, Burmese, Khmer, kana, Han
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]{2}"
)
NO_QUESTION_GIVEN = (
    "{!r} is a statement, not a question. A question ends with a question mark, or begins with where, what, who, is, did and "
    "the like. The statements stand before it: in the same text, in a pipe or with --story."
)
NO_QUESTION = (
    "Nothing was asked. A question ends with a question mark, or begins with where, what, who, is, did, has and the like; "
    "each stands on a line of its own, or after a full stop."
)


def meant_command(text: str) -> str | None:
    """The command that a line without a slash means: one word alone, or a question mark.

    >>> [meant_command(text) for text in ("Exit!", "quit()", "?", "Mary left.", "hello", "start over")]
    ['quit', 'quit', 'help', None, None, 'reset']
    """
    said = words(text)
    word = MEANT.get(" ".join(said), said[0] if len(said) == 1 else text.strip())
    return word if word in COMMANDS else SYNONYMS.get(word)


def conversational(text: str) -> str | None:
    """A reply to what is said to the program rather than told or asked of a story; "" where it should say what it is.

    >>> conversational("Who are you?"), conversational("no that's wrong") == THEN_TELL, conversational("hi!") == HELLO
    ('', True, True)
    >>> conversational("Who is Ann?") is None, conversational("Thank you very much!"), conversational("hey memnet") == HELLO
    (True, 'You are welcome.', True)
    """
    said = text.strip(" .!?").replace("’", "'").lower()
    if ABOUT_ITSELF.fullmatch(said):
        return ""
    if DISAGREES.fullmatch(said):
        return THEN_TELL
    typed = frozenset(words(text))
    if not typed or meant_command(text) is not None:
        return None
    if "thank" in typed or "thanks" in typed or typed == {"cheers"}:
        return WELCOME if typed <= THANKS else None
    if typed <= FAREWELL and len(typed) > 1 and not typed.isdisjoint(("bye", "goodbye", "see")):
        return SEE_YOU
    return HELLO if typed <= GREETINGS else None


def is_no_sentence(text: str) -> bool:
    """Whether a text says nothing that could be remembered: one word, or a greeting. Some scripts have no spaces between words.

    >>> [is_no_sentence(text) for text in ("hello", "Good morning!", "Mary left.", "玛丽去了厨房。")]
    [True, True, False, False]
    """
    said = words(text)
    return (len(said) == 1 and not WITHOUT_SPACES.search(text)) or SMALL_TALK.issuperset(said)
