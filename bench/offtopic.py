"""Whether questions that nothing answers are answered with nothing."""

import random
import string

from bench.client import Client
from bench.corpus import Corpus
from bench.report import Section

ON_TOPIC = 100
NONSENSE = 50

OFF_TOPIC = """
how long should I boil an egg for a soft yolk
best way to prune roses in early spring
who won the women's marathon at the last olympics
what is the capital of Burkina Faso
recipe for sourdough bread with rye flour
how do whales sleep without drowning
why is the sky blue and the sunset red
chords of a famous song by the Beatles
how far away is the Andromeda galaxy
which vitamins are in raw carrots
how to teach a puppy to walk on a leash
when did the Roman empire fall
what is a good stretch for a stiff neck
how do bees make honey
lyrics of an old lullaby about the moon
which wood is best for a violin
how many bones does an adult human have
what should I wear to a summer wedding
is it safe to eat mussels in august
how to remove red wine from a carpet
history of the potato in Ireland
what do penguins eat in winter
how to knit a scarf for beginners
symptoms of hay fever in children
who painted the water lilies
rules of the offside trap in football
how tall is Mount Kilimanjaro
what makes popcorn pop
how to fold a paper crane
why do cats purr when they are stroked
the plot of a Shakespeare play about a Danish prince
how deep is the Mariana trench
best lens for photographing birds
how to get chewing gum out of hair
when do strawberries ripen in Norway
difference between jazz and blues
how many moons does Jupiter have
what is the speed of a cheetah
how to tie a bow tie
why do leaves turn yellow in autumn
how to make a campfire in the rain
tasting notes of a young Riesling
what causes thunder
how old was Mozart when he died
how to grow tomatoes on a balcony
which planets have rings
why do onions make people cry
what do tarot cards mean
how to ski on icy slopes
when is the next solar eclipse in Spain
""".strip().splitlines()


def questions() -> list[str]:
    """Return questions about anything else, and letters without a meaning."""
    return OFF_TOPIC + _nonsense()


def report(section: Section, client: Client) -> None:
    """Report how many got nothing, and how many real questions got something."""
    asked = questions()
    answered = [question for question in asked if client.search(question)["results"]]
    section.add(
        f"off-topic and nonsense, nothing for (of {len(asked)})",
        len(asked) - len(answered),
        at_least=0.9 * len(asked),
        note="; ".join(answered[:4]),
    )
    corpus = Corpus()
    served = sum(
        bool(client.search(corpus.question(number))["results"])
        for number in range(ON_TOPIC)
    )
    section.add(f"questions of the corpus, something for (of {ON_TOPIC})", served)


def _nonsense() -> list[str]:
    rng = random.Random(3)
    return [
        " ".join(
            "".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 9)))
            for _ in range(rng.randint(1, 5))
        )
        for _ in range(NONSENSE)
    ]
