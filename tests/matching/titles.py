"""Titles, names and venues for the pairs of known truth, in kinds: some were never looked at."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """What the works of one field of study are called, and where they appear."""

    shapes: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    people: tuple[tuple[str, str], ...]
    venues: tuple[tuple[str, str], ...]
    """Name, and how it is cut short."""
    coined: tuple[str, ...]

    def title(self, chance: random.Random) -> str:
        """A title that no other call is likely to make."""
        shape = chance.choice(self.shapes)
        for slot, words in self.words.items():
            left = list(words)
            while "{" + slot + "}" in shape:
                word = left.pop(chance.randrange(len(left)))
                shape = shape.replace("{" + slot + "}", word, 1)
        return shape[0].upper() + shape[1:]

    def authors(self, chance: random.Random, count: int) -> list[tuple[str, str]]:
        return chance.sample(self.people, count)


LEARNING = Field(
    (
        "{adj} {noun} for {task} with {adj} {thing}",
        "learning {adj} {thing} from {noun} in {task}",
        "{noun} and {adj} {thing} under {task}",
        "towards {adj} {task} by {noun} over {thing}",
    ),
    {
        "adj": tuple("sparse robust causal latent modular private fair neural".split()),
        "noun": ("distillation", "pretraining", "pruning", "attention", "calibration", "memory"),
        "task": ("machine translation", "visual navigation", "program synthesis", "speech",
                 "retrieval", "protein folding", "theorem proving"),
        "thing": ("graphs", "experts", "tokens", "rewards", "embeddings", "trees", "mixtures"),
    },
    (("Anna", "Kowalski"), ("Wei", "Zhang"), ("João", "Araújo"), ("Priya", "Raman"),
     ("Søren", "Møller"), ("Diego", "Ibáñez"), ("Mary", "O'Neill"), ("Hans", "van der Velde"),
     ("Yuki", "Tanaka"), ("Peter", "Smith")),
    (("Advances in Neural Information Processing Systems", "NeurIPS"),
     ("Journal of Machine Learning Research", "J. Mach. Learn. Res."),
     ("Proceedings of the Conference on Empirical Methods in Natural Language Processing",
      "EMNLP")),
    ("BERT", "vLLM", "QLoRA", "Llama 2", "GPT-3", "DreamFuser"),
)  # fmt: skip
PHYSICS = Field(
    (
        "{adj} {noun} of {thing} near {place}",
        "on the {noun} of {adj} {thing}",
        "{noun} in {adj} {thing}, and the {noun} of {place}",
        "measurement of the {noun} of {thing} at {place}",
    ),
    {
        "adj": ("compact", "non-Abelian", "magnetised", "ultracold", "topological", "massive"),
        "noun": ("spectrum", "stability", "cohomology", "scattering", "entropy", "decay"),
        "thing": ("black holes", "quantum wires", "boson stars", "K3 surfaces", "plasmas",
                  "neutrinos", "moduli spaces"),
        "place": ("the horizon", "the lattice", "finite temperature", "13 TeV", "criticality"),
    },
    (("Élodie", "Lefèvre"), ("Igor", "Petrov"), ("Kwame", "Mensah"), ("Ludwig", "Weiß"),
     ("Chiara", "Bianchi"), ("José", "García Márquez"), ("Ann", "Lee"), ("Tom", "Brown")),
    (("Physical Review Letters", "Phys. Rev. Lett."), ("Communications in Mathematical Physics",
     "Commun. Math. Phys."), ("Astronomy and Astrophysics", "Astron. Astrophys.")),
    ("GADGET", "XENON1T", "CosmoMC"),
)  # fmt: skip
HISTORY = Field(
    (
        "{thing} and {noun} in {place}",
        "the {noun} of {thing}: {adj} {place} reconsidered",
        "{adj} {thing}, {noun}, and the making of {place}",
        "writing {noun} in {adj} {place}",
    ),
    {
        "adj": ("early modern", "imperial", "Ottoman", "rural", "monastic", "colonial"),
        "noun": ("memory", "law", "trade", "gender", "credit", "piety", "print"),
        "thing": ("guilds", "pilgrims", "merchants", "notaries", "peasants", "relics"),
        "place": ("Silesia", "the Low Countries", "Lisbon", "Bengal", "the Andes", "1848"),
    },
    (("Margarethe", "Schäfer"), ("Giulia", "d'Este"), ("Henri", "Lacroix"), ("Olu", "Adeyemi"),
     ("Ewa", "Wójcik"), ("James", "Carter"), ("Rosa", "Núñez")),
    (("Past and Present", "Past Present"), ("Journal of Economic History", "J. Econ. Hist."),
     ("Quaderni storici", "Quad. stor.")),
    ("EuroDocs", "Slave Voyages"),
)  # fmt: skip
MEDICINE = Field(
    (
        "{noun} of {drug} in patients with {ill}",
        "{drug} versus {drug} for {adj} {ill}",
        "{adj} {ill} and the {noun} of {drug} therapy",
        "association between {drug} and {ill} in {adj} cohorts",
    ),
    {
        "adj": ("refractory", "childhood", "severe", "hospital-acquired", "familial"),
        "noun": ("efficacy", "safety", "pharmacokinetics", "cost", "long-term outcome"),
        "drug": ("metformin", "rituximab", "IL-6 blockade", "warfarin", "statin", "ketamine"),
        "ill": ("asthma", "COVID-19", "type 2 diabetes", "sepsis", "lupus", "depression"),
    },
    (("Fatima", "Al-Sayed"), ("Björn", "Åkesson"), ("Li", "Wang"), ("Nuria", "Peña"),
     ("Grace", "Okafor"), ("Robert", "Miller"), ("Zoë", "Dubois")),
    (("The Lancet", "Lancet"), ("New England Journal of Medicine", "N. Engl. J. Med."),
     ("British Medical Journal", "BMJ")),
    ("RECOVERY", "SPRINT", "TwinsUK"),
)  # fmt: skip

TUNED_ON = (LEARNING, PHYSICS)
HELD_OUT = (HISTORY, MEDICINE)
