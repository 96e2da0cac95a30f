"""Everyday words for the published phrases, as data: see :mod:`.phrasing`.

The names of a published sentence stand in the braces, in their order or by their numbers.
"""

from __future__ import annotations


def split(text: str) -> tuple[str, ...]:
    """What stands between the bars."""
    return tuple(" ".join(part.split()) for part in text.split("|"))


WENT = split(
    """
    walked to | walked into | ran to | ran into | headed to | headed for | drove to | came to | came into |
    returned to | entered | hurried to | rushed to | strolled to | strolled into | wandered to | wandered into |
    went into | went over to | stepped into | arrived at | arrived in | got to | moved into | flew to | traveled to |
    is in | is at | is now in | is back in | was in | goes to | walks to | is going to | made her way to |
    made his way to | has gone to | has moved to | set off for | left for | jogged to | climbed into | sneaked into |
    's in | 's at | is sitting in | is standing in | is waiting in | stayed in | is inside | jumped into |
    marched to | then went to
    """
)
ARE = split(
    """
    are in | are at | are now in | were in | have gone to | are both in
    """
)
GOT = split(
    """
    {} picked {} up | {} has {} | {} is holding {} | {} is carrying {} | {} found {} | {} fetched {} |
    {} collected {} | {} lifted {} | {} took {} along | {} now has {} | {} bought {} | {} got hold of {} |
    {} carried {} | {} stole {} | {} snatched {} | {} has got {} | {} gathered {} | {} picks up {} | {} takes {} |
    {} grabs {} | {} packed {} | {} borrowed {} | {} held {} | {} was holding {} | {} was carrying {} |
    {} then took {}
    """
)
DROPPED = split(
    """
    {} put {} down | {} set {} down | {} set down {} | {} laid {} down | {} let go of {} | {} left {} behind |
    {} left {} there | {} got rid of {} | {} threw {} away | {} no longer has {} | {} lost {} | {} released {} |
    {} dropped {} off | {} put {} away | {} drops {} | {} puts down {} | {} abandoned {} | {} placed {} there |
    {} forgot {} | {} forgot {} there | {} left {} on the floor | {} put {} on the floor | {} then dropped {}
    """
)
PUT = split(
    """
    {} left {} in {} | {} put {} in {} | {} dropped {} in {} | {} placed {} in {} | {} set {} down in {} |
    {} put {} down in {} | {} hid {} in {} | {} forgot {} in {} | {} stored {} in {} | {} laid {} in {} |
    {} left {} at {}
    """
)
GAVE = split(
    """
    {0} gave {2} {1} | {0} handed {2} {1} | {0} passed {2} {1} | {0} lent {1} to {2} | {0} lent {2} {1} |
    {2} got {1} from {0} | {2} received {1} from {0} | {2} took {1} from {0} | {0} sent {1} to {2} |
    {0} threw {1} to {2} | {0} offered {1} to {2} | {0} brought {2} {1} | {0} gives {1} to {2} |
    {0} gave {1} back to {2} | {0} handed {1} over to {2} | {0} sold {1} to {2} | {0} showed and gave {1} to {2} |
    {2} was given {1} by {0} | {0} returned {1} to {2} | {0} delivered {1} to {2}
    """
)
GONE = split(
    """
    {} isn't in {} anymore | {} isn't in {} | {} is not in {} anymore | {} is not in {} any more | {} left {} |
    {} has left {} | {} walked out of {} | {} isn't at {} | {} is not at {} | {} is out of {} | {} went out of {} |
    {} is no longer at {} | {} came out of {} | {} isn't in {} any longer
    """
)
EITHER = split(
    """
    {} is in either {} or {} | {} is in {} or {} | {} might be in {} or {} | {} is either in {} or in {} |
    {} is at {} or at {} | {} may be in {} or {} | {} is either at {} or {} | {} went to either {} or {} |
    {} went to {} or {} | {} could be in {} or in {} | {} is probably in {} or {}
    """
)
LIES = split(
    """
    is in | is at | is on | is now in | is kept in | lies in | was in | is inside | is lying in | stands in | are in
    """
)
HAS = split(
    """
    who has the {} | who's got the {} | who is holding the {} | who is carrying the {} | who has got the {} |
    who holds {}
    """
)
THERE = split(
    """
    who is in the {} | who's in the {} | who is at the {} | who is in the {} now | who can be found in the {}
    """
)

# A pattern of a published sentence without its end, and under it what may be said in its place.

STATEMENTS = r"""
The ([a-z]+) is (north|south|east|west) of the ([a-z]+)
    the {0} is to the {1} of the {2} | the {0} lies {1} of the {2} | {1} of the {2} is the {0} | {0} is {1} of {2} |
    the {0} is just {1} of the {2}
(The [a-z ]+?) fits inside (the [a-z ]+)
    {} fits in {} | {} fits into {} | {} can fit in {} | {} will fit inside {} | {} goes into {}
([A-Z][a-z]+) is (hungry|thirsty|bored|tired)
    {} feels {} | {} got {} | {} was {} | {} is very {} | {} is feeling {} | {} became {} | {} is getting {} |
    {} looks {}
([A-Z][a-z]+) is a ([a-z]+)
    {} is a {} | {} is an {} | {} was a {}
([A-Z][a-z]+) is (gray|white|yellow|green)
    {} is {} | {} was {} | {} is all {}
"""
QUESTIONS = r"""
Where is ((?:the )?[A-Za-z]+)
    where's {} | where is {} now | where is {} right now | which room is {} in | where can I find {} |
    do you know where {} is | where is {} at | where did {} end up | where has {} gone | what room is {} in |
    tell me where {} is | where are they keeping {} | where could {} be | where's {} now | which place is {} in
Where was the ([a-z]+) before the ([a-z]+)
    where was the {} before it was in the {} | where had the {} been before the {} | where was {} before {} |
    where was the {} before it got to the {} | where did the {} come from before the {} |
    where was the {} before it came to the {}
Where was ([A-Z][a-z]+) before the ([a-z]+)
    where was {} before going to the {} | where had {} been before the {} | where was {} before she went to the {} |
    where was {} before he went to the {} | where did {} go before the {} | where was {} just before the {}
Is ([A-Za-z]+) in the ([a-z]+)
    is {} at the {} | is {} in the {} now | is {} still in the {} | is {} currently in the {} | is {} inside the {} |
    can {} be found in the {} | is {} now at the {} | would I find {} in the {}
How many objects is ([A-Z][a-z]+) carrying
    how many things does {} have | how many things is {} holding | how many items does {} carry |
    how many things has {} got | how many things is {} carrying | how many objects does {} have now
What is ([A-Z][a-z]+) carrying
    what's {} carrying | what does {} have | what is {} holding | what has {} got | which things does {} have |
    what does {} carry | what does {} have now | what's {} holding | what are the things {} has
What did ([A-Z][a-z]+) give to ([A-Z][a-z]+)
    what did {0} give {1} | what did {0} hand {1} | what did {1} get from {0} | what did {0} pass to {1} |
    what did {1} receive from {0} | what was given to {1} by {0}
Who gave the ([a-z]+) to ([A-Z][a-z]+)
    who gave {1} the {0} | who handed {1} the {0} | who did {1} get the {0} from | who passed the {0} to {1} |
    from whom did {1} get the {0}
Who gave the ([a-z]+)
    who gave away the {} | who handed over the {} | who passed on the {}
Who received the ([a-z]+)
    who got the {} | who was given the {} | who did they give the {} to | to whom was the {} given
Who did ([A-Z][a-z]+) give the ([a-z]+) to
    to whom did {} give the {} | who did {} hand the {} to | who did {} pass the {} to | who got the {1} from {0} |
    who received the {1} from {0}
What is (north|south|east|west) of the ([a-z]+)
    what lies {} of the {} | what's {} of the {} | what is to the {} of the {} | which room is {} of the {} |
    which place is {} of the {}
What is the ([a-z]+) (north|south|east|west) of
    what is {} {} of | what's the {} {} of | the {} is {} of what | what does the {} lie {} of
What is ([a-z]+) afraid of
    what does {} fear | what's {} scared of | what is {} frightened of | what is {} scared of | what frightens {} |
    what's {} afraid of
What color is ([A-Z][a-z]+)
    what colour is {} | what's the color of {} | which color is {} | what is the colour of {} |
    which colour does {} have
Does the ([a-z ]+?) fit in the ([a-z ]+)
    does the {} fit inside the {} | can the {} fit into the {} | will the {} fit in the {} |
    would the {} fit inside the {} | does the {} go in the {} | does {} fit into {}
How do you go from the ([a-z]+) to the ([a-z]+)
    how do I get from the {} to the {} | what is the way from the {} to the {} |
    how can I get to the {1} from the {0} | how do you get from {} to {} | how would you go from the {} to the {} |
    what's the path from the {} to the {} | which way is it from the {} to the {}
Where will ([a-z]+) go
    where does {} go | where is {} going to go | where would {} go | where will {} go next | where is {} headed
Why did ([a-z]+) go to the ([a-z]+)
    why did {} walk to the {} | why is {} in the {} | why did {} head to the {} | why has {} gone to the {} |
    why did {} move to the {}
Why did ([a-z]+) get the ([a-z]+)
    why did {} take the {} | why did {} grab the {} | why does {} have the {} | why did {} pick up the {}
"""
