# ruff: noqa: E501 -- One announcement is one line.
"""Forty announcements, made up, and sixty queries with the announcements that each must match."""

from __future__ import annotations

# number: title | abstract | authors | comment | arXiv categories
ANNOUNCEMENTS = """
1: Speculative decoding with two draft models | A small draft model proposes tokens. | Tri Dao, Ada Abara | 12 pages | cs.LG, cs.CL
2: A survey of speculative decoding | We review draft models and their verification. | Bela Ito | 30 pages, survey | cs.CL
3: Self-speculative inference without a drafter | Layers are skipped while drafting. | Tri Daoud | | cs.LG
4: Decoding speculative fiction | What novels foretell. | Chiara Eze | | cs.CL
5: PagedAttention on four devices | Memory management for LLM serving. | Woosuk Example | Accepted at SOSP 2027 | cs.DC, cs.LG
6: Serving large language models in waves | Continuous batching raises throughput. | Dan Oak | | cs.DC
7: Mixture-of-Experts routing revisited | Experts are chosen by hashing (MoE). | Émile Gödel | | cs.LG
8: Mixtures of experts in wine tasting | A panel of experts, no networks. | Ines Haddad | | stat.AP
9: MoE, MoD and mo' problems | Sparse models compared. | Jo Ng | | cs.LG
10: Low-rank adaptation at scale | LoRA for a thousand tasks. | Edward Sample | Code at https://github.com/example/lora | cs.LG
11: LoRa radios in the Alps | Long-range radio links. | Urs Berger | | cs.NI
12: Quantizing KV caches to two bits | Keys and values are quantized per channel. | Mei Lin | | cs.LG
13: Quantum error correction by lottery | Surface codes at random. | Nils Quant | | quant-ph
14: 4-bit quantisation of transformers | Weights in four bits. | Zoë Čapek | Submitted to ICLR 2027 | cs.LG, cs.AR
15: Naïve Bayes is not naive | A reappraisal of naïve assumptions. | Łukasz Ångström | | stat.ML
16: Pré-training on tiny corpora | Pretraining with little data. | Zoe Capek | | cs.CL
17: Pre-training beyond tokens | Bytes are enough. | Sam Byte | | cs.CL
18: Post-training is all you need | Preference tuning compared. | Pia Pref | | cs.LG
19: State space models for long context | Selective scans (SSM) of a million tokens. | Albert Gu, Tri Dao | | cs.LG
20: Long-context retrieval without attention | A state machine reads books. | Omar Ali | | cs.IR
21: Diffusion models for protein folding | Images play no part here. | Kim Min-su | | q-bio.BM, cs.LG
22: Image diffusion on a phone | Diffusion in 200 ms. | Li Wei | | cs.CV
23: Heat diffusion on graphs | Laplacians and their spectra. | Eve Stone | | math.SP
24: Graph neural networks that forget | Unlearning nodes of a graph. | Gül Yıldız | | cs.LG, cs.SI
25: Unlearning in language models | Forgetting on request. | Ronen Sample | 9 pages | cs.CL
26: Reinforcement learning from human feedback, again | RLHF with fewer humans. | Hu Man | | cs.LG
27: Reward hacking in code agents | Agents cheat at unit tests. | Cora Coder | | cs.SE
28: An agent that writes proofs | Lean proofs by search. | Leo Lean | | cs.LO
29: Agentic benchmarks for browsers | Fifty web agents compared. | Bro Wser | benchmark data online | cs.AI
30: Game-playing agents of the past | A history of chess engines. | Garry K. | | cs.AI
31: Tensor parallelism by example | Splitting matrices across GPUs. | Mo Shard | | cs.DC
32: C++ templates for tensor cores | Kernels in CUDA. | Bjarne X. | | cs.PL
33: GPT-4 reads maps | Vision and language together. | Ann Map | | cs.CV, cs.CL
34: GPT 4 and the law | Exams for machines. | Lex Law | | cs.CY
35: 大规模语言模型的推测解码 | 本文研究推测解码。 | 王小明 | | cs.CL
36: Transformers for 语音 recognition | Speech in two scripts. | 佐藤 花子 | | eess.AS
37: Bounds for $k$-means when $a<b$ | We show O(n log n) for k-means. | Priya O'Neil | | cs.DS, cs.LG
38: K-means++ seeding, a note | Seeding by distance. | Dave Arthur | | cs.DS
39: Flash-attention in the browser | FlashAttention with WebGPU. | Tri N. Dao | | cs.LG
40: Attention without softmax | Linear attention for long context. | Ang Ka | withdrawn | cs.LG, cs.CL
"""

QUERIES: list[tuple[str, str]] = [
    ('"speculative decoding"', "1 2"),
    ("speculative decoding", "1 2 4"),
    ('("speculative decoding" OR "draft model") AND NOT survey', "1"),
    ('"speculative decoding" NOT title:survey', "1"),
    ('title:"draft models"', "1"),
    ('abstract:"draft model"', "1"),
    ('"draft model*"', "1"),
    ("draft*", "1 2 3"),
    ('author:"Tri Dao"', "1 19"),
    ("author:dao", "1 19 39"),
    ("author:dao*", "1 3 19 39"),
    ('author:"dao ada"', ""),
    ("moe", "7 9"),
    ('"mixture of experts"', "7"),
    ("mixture-of-experts", "7"),
    ("mixture* experts", "7 8"),
    ("title:experts NOT wine", "7"),
    ("LoRA", "10 11"),
    ("lora NOT radio*", "10"),
    ("lora arxiv_category:cs.LG", "10"),
    ("quantiz* OR quantis*", "12 14"),
    ("quant*", "12 13 14"),
    ("quant* NOT author:quant NOT quantum", "12 14"),
    ('"4-bit"', "14"),
    ('"4 bit" OR "two bits"', "12 14"),
    ("naive", "15"),
    ("naïve", "15"),
    ("pretraining", "16"),
    ('"pre-training"', "16 17"),
    ('pretraining OR "pre training"', "16 17"),
    ('"training is all"', "18"),
    ("author:capek", "14 16"),
    ("author:Čapek comment:iclr", "14"),
    ("author:angstrom", "15"),
    ("author:godel", "7"),
    ('"state space model"', ""),
    ('"state space model" OR "state space models" OR ssm', "19"),
    ('"long context"', "19 20 40"),
    ('"long context" NOT attention', "19"),
    ("title:diffusion", "21 22 23"),
    ("title:diffusion abstract:diffusion", "22"),
    ("title:diffusion NOT (image* OR graph*)", ""),
    ("diffusion -images", "22 23"),
    ("unlearning OR forget*", "24 25"),
    ("graph", "24"),
    ("graphs NOT arxiv_category:cs.LG", "23"),
    ("agent* benchmark*", "29"),
    ("agent* NOT game", "27 28 29"),
    ("title:(agent OR agents OR agentic)", "27 28 29 30"),
    ("tensor", "31 32"),
    ('"c++"', "32"),
    ("gpt-4", "33 34"),
    ('"GPT 4" arxiv_category:cs.CL', "33"),
    ("推测解码", "35"),
    ("语音 OR 本文", "35 36"),
    ('"k-means"', "37 38"),
    ("comment:survey OR comment:benchmark", "2 29"),
    ("comment:12 OR comment:9", "1 25"),
    ("flash attention", "39"),
    ('arxiv_category:cs.D* OR "linear attention"', "5 6 31 37 38 40"),
]


def announcements() -> dict[int, tuple[str, str, list[str], str, list[str]]]:
    """By number: title, abstract, authors, comment, categories."""
    found = {}
    for line in ANNOUNCEMENTS.strip().splitlines():
        number, _, rest = line.partition(": ")
        title, abstract, authors, comment, categories = (part.strip() for part in rest.split("|"))
        found[int(number)] = (
            title,
            abstract,
            authors.split(", "),
            comment,
            categories.split(", "),
        )
    return found
