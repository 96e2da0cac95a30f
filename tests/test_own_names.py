"""An open vocabulary for files of one's own: which words are names, markers in training, and what is refused."""

import dataclasses
from pathlib import Path
from random import Random

import pytest
import torch

import memnet as package
from memnet.api import change
from memnet.config import UNANSWERABLE
from memnet.config.memn2n import OPEN_DIM, MemN2NConfig
from memnet.encode.vocabulary import ENTITIES, MOST_ENTITIES, UNKNOWN, OpenVocabulary
from memnet.errors import ConfigError, TrainingError
from memnet.models import MODELS
from memnet.papers import PRESETS
from memnet.tasks import simulator
from memnet.tasks.simulator import PUBLISHED_TASKS, simulate
from memnet.tasks.text import Question, Story, parse, texts_of, words, write
from memnet.tasks.text.evidence import without_evidence
from memnet.tasks.text.names import name_words, read_names
from memnet.tasks.text.renaming import rename_story
from memnet.training.dataset import DataSet, Names
from tests.conftest import memnet, refused, tell, wander
from tests.training import a_run, check_goes_on

SMALL = dataclasses.replace(PRESETS["pe-ls-rn"], epochs=4, linear_start=1, open_vocabulary=True, unanswerable=0.5)
NEW = {"Mary": "Zoe", "John": "Adam", "Sandra": "Ruth", "kitchen": "cellar", "garden": "attic", "office": "hut"}


def lowered(story: Story) -> Story:
    """The story in small letters."""
    return parse(write([story]).lower())[0]


# Which words are names


@pytest.mark.parametrize("lower", [False, True], ids=["as written", "in small letters"])
@pytest.mark.parametrize("task", PUBLISHED_TASKS)
def test_names_of_simulated_tasks_are_found_without_their_lists(task: str, lower: bool):
    stories = [lowered(story) if lower else story for story in simulate(task, 200, 0)]
    stated = {word for story in stories for text in texts_of(story) for word in words(text)}
    assert name_words(stories) == simulator.entity_words() & stated


def test_interchangeable_words_are_names_too():
    """Nothing but its use shows that "yard" is a name as "Oxford" is."""
    places = ("Oxford", "yard", "shed", "barn")
    stories = []
    for number in range(600):
        first, second = places[number % 4], places[number // 4 % 4]
        asked = Question("Is Mary with John?", "yes" if first == second else "no", (), 2)
        stories.append(Story((f"John can be found in {second}.", f"Mary can be found in {first}."), (asked,)))
    assert name_words(stories) == {"mary", "john", "oxford", "yard", "shed", "barn"}
    assert name_words(stories[:400]) == {"mary", "john", "oxford"}  # too few questions to tell


def test_answers_with_a_meaning_are_no_names():
    """Who is tired will go to bed, and nothing hangs on who is white."""
    tired = [
        Story((f"{who} is {how}.",), (Question(f"Where will {who} go?", room, (), 1), Question(f"How is {who}?", how, (), 1)))
        for who in ("Ann", "Bob", "Cid")
        for how, room in (("tired", "bedroom"), ("hungry", "kitchen"))
    ]
    assert name_words(tired) == {"ann", "bob", "cid"}
    white = [
        Story((f"{who} is {how}.",), (Question(f"What colour is {who}?", how, (), 1),))
        for who, how in (("Ann", "white"), ("Bob", "grey"))
    ]
    assert name_words(white) == {"ann", "bob", "white", "grey"}


INVERSE = {"mother": "daughter", "father": "son", "aunt": "niece", "uncle": "nephew", "boss": "employee"}


def kin_stories(number: int, seed: int) -> list[Story]:
    """Who is what of whom, asked as told and turned round."""
    draw, stories = Random(seed), []
    for _ in range(number):
        people, kin = draw.sample(("Ann", "Bob", "Cid", "Dora", "Eve", "Finn"), 3), draw.sample(list(INVERSE), 2)
        told = [f"{people[0]} is the {kin[0]} of {people[1]}.", f"{people[2]} is the {kin[1]} of {people[0]}."]
        asked = [
            (f"Who is the {INVERSE[kin[0]]} of {people[0]}?", people[1]),
            (f"Who is the {kin[1]} of {people[0]}?", people[2]),
        ]
        text, answer = draw.choice(asked)
        stories.append(Story(tuple(draw.sample(told, 2)), (Question(text, answer, (), 2),)))
    return stories


def test_kin_words_are_no_names_where_kin_is_turned_round():
    stories = kin_stories(300, 1)
    assert name_words(stories) == {"ann", "bob", "cid", "dora", "eve", "finn"}
    as_told = [story for story in stories if any(f"the {word} of" in story.questions[0].text for word in INVERSE)]
    assert name_words(as_told) >= INVERSE.keys()  # nothing hangs on what they mean


def test_what_is_never_a_name():
    told = "1 Tom put 2 keys in the left drawer.\n2 Yesterday Tom left.\n3 How many keys are in the drawer?\t2\t\n"
    told += "4 Is Tom in the drawer?\tno\t\n5 Which drawer?\tleft\t\n6 When did Tom go?\tyesterday\t\n"
    found = name_words(parse(told))
    assert found == {"tom", "drawer"}, found


def test_a_file_of_names(tmp_path: Path):
    path = tmp_path / "names.txt"
    path.write_text("Zoe\nthe Red Square\r\nbox of chocolates, Tom", encoding="utf-8")
    assert read_names(path) == {"zoe", "red", "square", "box", "chocolates", "tom"}


def test_names_are_of_the_tasks_or_given_or_learned():
    _, data = a_run(SMALL)
    assert data.entities == Names(frozenset({"mary", "john", "sandra", "kitchen", "garden", "office"}), given=False)
    task = own_task(wander(1))
    assert Names.of([task], frozenset({"mary", "nobody"})) == Names(frozenset({"mary"}))
    assert Names.of([dataclasses.replace(task, name="sim/qa1")]).words == simulator.entity_words()
    assert not Names.of([dataclasses.replace(task, name="own/qa1")]).given  # a file of one's own that is called so
    with pytest.raises(TrainingError, match="of the names given"):
        Names.of([task], frozenset({"nobody"}))
    plain = [Story(("it is so",), (Question("is it so", "yes", (), 1),))]
    with pytest.raises(TrainingError, match="name some: --names FILE"):
        Names.of([own_task(plain)])


def test_answers_with_a_determiner_are_names():
    told = parse("1 Ann went to the hall.\n2 Bob has a red box.\n3 Where is Ann?\tThe hall\t1\n4 What has Bob?\ta red box\t2\n")
    data = OpenVocabulary.open(told, frozenset({"ann", "bob", "hall", "red", "box"}))
    assert [question.answer for question in data.prepare(told, 0)[0].questions] == [
        data.prepare(told, 0)[0].statements[0].split()[-1],
        data.prepare(told, 0)[0].statements[1].split()[-1],
    ]
    assert "the hall" not in data.entries


# Markers in training


def own_task(train: list[Story], test: list[Story] | None = None) -> package.tasks.families.Task:
    return package.tasks.families.Task.of("own/moves", train, test or train, "0")


def test_markers_are_drawn_anew_in_every_epoch():
    _, data = a_run(SMALL)
    first, again, other = (data.stream.epoch(number, data.vocabulary) for number in (1, 1, 2))
    assert torch.equal(first.answer, again.answer)
    assert torch.equal(first.memory, again.memory)
    assert not torch.equal(first.answer, other.answer)
    marker = data.vocabulary.number["entity1"]
    for epoch in (data.train, first, other):
        assert len(epoch) == len(data.train)
        assert torch.equal(epoch.count, data.train.count)
        assert torch.equal(epoch.answer == 0, data.train.answer == 0)  # those without evidence
        assert bool((epoch.answer[epoch.answer != 0] >= marker).all())  # every place is a marker
    assert 0 < int((data.train.answer == 0).sum()) < len(data.train)
    shares = dataclasses.replace(SMALL, supervision="facts", facts=0.5, unanswerable=0.0)
    _, data = a_run(shares)
    assert torch.equal(data.stream.epoch(5, data.vocabulary).facts[:, 0] >= 0, data.train.facts[:, 0] >= 0)


@pytest.mark.parametrize("epoch", [1, 3])
def test_a_stopped_run_with_markers_ends_as_one_never_stopped(epoch: int, tmp_path: Path):
    check_goes_on(lambda: a_run(SMALL), tmp_path, epoch)


def test_stories_with_more_names_than_markers_get_more_markers():
    def markers(number: int) -> int:
        told = tuple(f"Ann saw N{place}." for place in range(number - 1))
        story = Story(told, (Question("Who is there?", "ann", (), len(told)),))
        return len(OpenVocabulary.open([story], name_words([story])).markers)

    assert [markers(number) for number in (5, 40, 41, 200)] == [ENTITIES, ENTITIES, 82, MOST_ENTITIES]


def test_lists_of_names_are_decoded_word_by_word():
    stories = [
        Story((f"{who} has the key.", f"{who} has the milk."), (Question(f"What has {who}?", "key,milk", (), 2),))
        for who in ("Ann", "Bob") * 10
    ]
    with pytest.raises(TrainingError, match="set decoder=words"):
        DataSet.of([own_task(stories)], SMALL)
    data = DataSet.of([own_task(stories)], dataclasses.replace(SMALL, decoder="words"))
    assert data.train.unknown_answers == 0


# Refusing


def test_refusing_is_the_default_with_an_open_vocabulary():
    for preset in ("pe-ls-rn", "dmn-plus", "lstm", "universal", "causal", "memnn-am-ng-nl"):
        for pairs, options in (([], {"open_vocabulary": True}), (["open_vocabulary=true"], {})):
            config = change(preset, pairs, options)
            assert (config.open_vocabulary, config.unanswerable) == (True, UNANSWERABLE)
    assert change("pe-ls-rn", ["unanswerable=0"], {"open_vocabulary": True}).unanswerable == 0
    assert change("pe-ls-rn", [], {}).unanswerable == 0
    assert change("open-joint", [], {"open_vocabulary": True}) == PRESETS["open-joint"]
    assert (change("pe-ls-rn", [], {"open_vocabulary": True}).dim, PRESETS["pe-ls-rn"].dim) == (OPEN_DIM, 20)
    assert change("pe-ls-rn", ["dim=30"], {"open_vocabulary": True}).dim == 30
    with pytest.raises(ConfigError, match="choose one"):
        change("pe-ls-rn-permute", [], {"open_vocabulary": True})
    with pytest.raises(ConfigError, match="fitted in one piece"):
        change("ngram", [], {"open_vocabulary": True})


def test_without_listed_facts_everything_about_the_subject_goes():
    told = ("Mary got the milk.", "John went home.", "Then he sat down.", "Mary left.", "She is out.", "It rains.")
    milk, john, who = (Question(text, "so", (), 6) for text in ("Where is the milk?", "Where is John?", "Who?"))
    story = Story(told, (milk, john, who))
    bare = without_evidence(story, john)
    assert bare is not None
    assert bare.statements == (told[0], *told[3:])
    assert bare.questions[0].answer == UNKNOWN
    assert without_evidence(story, milk).statements == told[1:]
    assert without_evidence(story, who) is None
    assert without_evidence(story, john, frozenset({"john"})) is None  # a word of asking is no subject
    late = dataclasses.replace(john, after=1)
    assert without_evidence(story, late) is None


def test_a_network_learns_other_names_and_to_refuse(tmp_path: Path):
    """Trained on three people in three rooms it answers about three others in three others, and about nobody else."""
    bare = [
        Story(s.statements, tuple(dataclasses.replace(q, supporting_facts=()) for q in s.questions)) for s in wander(1, 200)
    ]
    folder, others = tmp_path / "own", tmp_path / "others"
    for path, test in ((folder, wander(2)), (others, [rename_story(story, NEW) for story in wander(2)])):
        path.mkdir()
        tell(path, bare, test)
    settings = {"restarts": 1, "epochs": 20, "linear_start": 5, "batch": 16, "unanswerable": 0.3}
    trained = package.train(folder, open_vocabulary=True, out=tmp_path / "run", **settings)
    report = trained.evaluate(others, evidence=True)
    assert report["mean_error"] < 15
    assert (report["unknown_words"], report["unknown_answers"]) == (0, 0)
    assert report["tasks"]["own/moves"]["no_evidence_without"] > 0.7
    assert trained.evaluate()["mean_error"] == pytest.approx(trained.errors["test"], abs=1e-3)
    answer = trained.ask("Old Tom went to the wine cellar. Ann went to the attic.", "Where is Old Tom?")
    assert answer.answer == "wine cellar"
    assert answer.length_notes == []
    longer = trained.ask("Ann went to the attic. " * (answer.longest_story + 1), "Where is Ann?")
    assert longer.length_notes == [f"{answer.longest_story + 1} statements; training had at most {answer.longest_story}"]
    package.load(tmp_path / "run").save_pretrained(tmp_path / "copy")
    for network in (trained, package.load(tmp_path / "copy")):  # other sentences are the reader's, from wherever it is loaded
        other = network.ask("Ines put the drill in the blue van.", "What did Ines put in the van?")
        assert other.answer == "drill"


DECODERS = ("class", "words")
REFUSED = [
    ("causal", "class"),
    ("writable", "class"),
    ("walk", "words"),
    ("mentions", "class"),
    ("mentions", "words"),
]  # decoders that a model has not


@pytest.mark.parametrize(
    ("model", "decoder"),
    [(name, one) for name, kind in MODELS.items() if not kind.Config.fitted for one in DECODERS if (name, one) not in REFUSED],
)
def test_every_kind_of_network_takes_an_open_vocabulary(model: str, decoder: str, own_folder: Path, tmp_path: Path):
    sizes = {"dim": 8} | ({"hidden": 8} if model in ("transformer", "causal", "writable") else {})
    trained = package.train(
        own_folder, model=model, open_vocabulary=True, decoder=decoder, epochs=2, restarts=1, out=tmp_path / "run", **sizes
    )
    if model != "walk":  # which says itself where nothing connects two names
        assert trained.spec.config.unanswerable == UNANSWERABLE
    report = trained.evaluate(evidence=True)
    assert report["mean_error"] == pytest.approx(trained.errors["test"], abs=1e-3)
    assert report["tasks"]["own/moves"]["no_evidence"] is not None
    answer = package.load(tmp_path / "run").ask("Zoe went to the Cellar.", "Where is Zoe?", runners_up=40)
    said = {answer.answer, *(name for name, _ in answer.runners_up)}
    assert "Cellar" in said
    assert "Zoe" not in said  # nobody is where he is


# The command line


def test_the_command_prints_the_names_and_takes_others(own_folder: Path, tmp_path: Path):
    run, quick = tmp_path / "run", ("--restarts", 1, "--set", "epochs=1", "--set", "linear_start=0")
    said = memnet("train", own_folder, "--open-vocabulary", "--out", run, *quick).stdout
    assert "taken for names: garden john kitchen mary office sandra;" in said
    found = memnet("data", "names", own_folder).stdout
    assert found.split() == ["garden", "john", "kitchen", "mary", "office", "sandra"]
    names = tmp_path / "names.txt"
    names.write_text(found.replace("mary\n", ""), encoding="utf-8")
    other = tmp_path / "other"
    said = memnet("train", own_folder, "--open-vocabulary", "--names", names, "--out", other, *quick).stdout
    assert "taken for names" not in said
    assert "mary" in package.load(other).vocabulary.entries
    assert "mary" not in package.load(run).vocabulary.entries
    again = ("train", own_folder, "--open-vocabulary", "--out", run, "--resume", *quick)
    assert "is finished already" in memnet(*again).stdout
    assert "holds another run" in refused(*again, "--names", names)
    assert "open_vocabulary=true" in refused("train", own_folder, "--names", names, "--out", tmp_path / "no", *quick)
    assert "given twice" in refused("train", own_folder, "--open-vocabulary", "--set", "open_vocabulary=true")
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    assert "not UTF-8" in refused("train", own_folder, "--open-vocabulary", "--names", tmp_path / "bad.txt")
    assert "there is no file" in refused("train", own_folder, "--open-vocabulary", "--names", tmp_path / "none.txt")


def test_a_setting_alone_does_the_same():
    assert MemN2NConfig(open_vocabulary=True).unanswerable == 0  # a configuration says what it is; options choose
    assert change("pe-ls-rn", ["open_vocabulary=true"], {}) == change("pe-ls-rn", [], {"open_vocabulary": True})
