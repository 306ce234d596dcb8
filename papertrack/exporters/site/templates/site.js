// papertrack: the search of a static site, and the button that copies BibTeX. No other host is asked.
"use strict";

// ---- Words, as the library compares them (papertrack/text.py, the tokenizer of SQLite's FTS5) ----

const SPECIAL = {
  "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
  "-": " ", "‐": " ", "‑": " ", "‒": " ", "–": " ", "—": " ", "―": " ", "−": " ",
  "’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"',
};
const SPECIAL_SIGNS = new RegExp(`[${Object.keys(SPECIAL).join("")}]`.replace("[-", "[\\-"), "g");
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/g;
const CJK = /[\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\u{20000}-\u{3ffff}]/gu;
const SEPARATORS = /[^\p{L}\p{N}\p{Co}]+/gu;

// Case folding as in Unicode: "ß" is "ss", and every sigma the same.
const caseFolded = (text) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");

const singleSpaced = (text) => text.replace(/\s+/g, " ").trim();

function fold(text) {
  if (/^[\x20-\x7e]*$/.test(text)) {
    return singleSpaced(text.toLowerCase().replaceAll("-", " "));
  }
  const plain = caseFolded(caseFolded(text).normalize("NFKD").replace(ACCENTS, ""));
  return singleSpaced(plain.normalize("NFC").replace(SPECIAL_SIGNS, (sign) => SPECIAL[sign]));
}

const indexed = (text) => singleSpaced(fold(text).replace(CJK, " $& "));

// " every word between blanks ", so that whole words and phrases are found by includes().
const words = (text) => ` ${indexed(text).replace(SEPARATORS, " ").trim()} `;

// ---- The query language (papertrack/queries/parser.py) ----

class QueryError extends Error {}

const VALUE = /[^\s()"]+/y;
const PHRASE = /"((?:[^"\\]|\\.)*)"/sy;
const FIELD = /([A-Za-z_]+):(?!\/\/)/y;
const ADDRESS = /^https?:\/\//i;
const NUMBER = "[0-9]{1,9}";
const DATE = "[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?";
const RANGES = {
  number: new RegExp(`^(${NUMBER})?(?:-|\\.\\.)(${NUMBER})?$`),
  date: new RegExp(`^(?:(${DATE})?\\.\\.(${DATE})?|([0-9]{4})-([0-9]{4})|(${DATE})-|-(${DATE}))$`),
};

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function tokens(text, fields) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      at += 1;
    } else if ("()-".includes(text[at])) {
      const next = text[at + 1];
      if (text[at] === "-" && (!next || /\s/.test(next) || next === ")")) {
        throw new QueryError('A "-" stands before nothing.');
      }
      found.push({ kind: text[at] });
      at += 1;
    } else {
      const prefix = matchAt(FIELD, text, at);
      let field = null;
      if (prefix) {
        const name = prefix[1].toLowerCase();
        field = Object.hasOwn(fields, name) ? fields[name] : null;
        if (!field) throw new QueryError(`There is no field “${prefix[1]}”.`);
        at += prefix[0].length;
      }
      if (field && text[at] === "(") {
        found.push({ kind: "(", field });
        at += 1;
        continue;
      }
      if (text[at] === '"') {
        const phrase = matchAt(PHRASE, text, at);
        if (!phrase) throw new QueryError("A quote is not closed yet.");
        const content = phrase[1].replace(/\\(["\\])/g, "$1");
        if (!content.trim()) throw new QueryError("There is nothing between the quotes.");
        found.push({ kind: "phrase", text: content, field });
        at += phrase[0].length;
        continue;
      }
      const word = matchAt(VALUE, text, at);
      if (!word) throw new QueryError(`There is nothing after “${field}:”.`);
      if (!field && ["AND", "OR", "NOT"].includes(word[0])) found.push({ kind: word[0] });
      else found.push({ kind: "word", text: word[0], field: !field && ADDRESS.test(word[0]) ? "id" : field });
      at += word[0].length;
    }
  }
  return found;
}

// The query as a tree: {and: […]}, {or: […]}, {not: …} or {field, text, isPrefix, isPhrase}.
function parse(text, fields) {
  const list = tokens(text, fields);
  let at = 0;

  function anyOf(field, depth) {
    const parts = [allOf(field, depth)];
    while (at < list.length && list[at].kind === "OR") {
      at += 1;
      parts.push(allOf(field, depth));
    }
    return parts.length > 1 ? { or: parts } : parts[0];
  }

  function allOf(field, depth) {
    const parts = [single(field, depth)];
    while (at < list.length && list[at].kind !== "OR" && list[at].kind !== ")") {
      if (list[at].kind === "AND") at += 1;
      parts.push(single(field, depth));
    }
    return parts.length > 1 ? { and: parts } : parts[0];
  }

  function single(outer, depth) {
    const token = list[at];
    if (!token || [")", "AND", "OR"].includes(token.kind)) throw new QueryError("Something is missing in the query.");
    if (depth > 50) throw new QueryError("There are too many groups within each other.");
    at += 1;
    const field = token.field || outer;
    if (token.kind === "NOT" || token.kind === "-") return { not: single(field, depth + 1) };
    if (token.kind === "(") {
      const part = anyOf(field, depth + 1);
      if (!list[at]) throw new QueryError('A "(" is not closed yet.');
      at += 1;
      return part;
    }
    const isPrefix = token.kind === "word" && token.text.endsWith("*");
    if (isPrefix && token.text === "*") throw new QueryError('A "*" needs letters before it.');
    return { field, text: isPrefix ? token.text.slice(0, -1) : token.text, isPrefix, isPhrase: token.kind === "phrase" };
  }

  if (!list.length) return null;
  const tree = anyOf(null, 0);
  if (at < list.length) throw new QueryError('A ")" closes nothing.');
  return tree;
}

// ---- Numbers and dates ----

function compare(operator, value, bound) {
  if (operator === "<") return value < bound;
  if (operator === "<=") return value <= bound;
  if (operator === ">") return value > bound;
  if (operator === ">=") return value >= bound;
  return value === bound;
}

function operatorOf(text) {
  const operator = ["<=", ">=", "<", ">", "="].find((sign) => text.startsWith(sign)) || "";
  return [operator, text.slice(operator.length)];
}

function numberTest(term) {
  const range = RANGES.number.exec(term.text);
  if (range && (range[1] || range[2])) {
    const [low, high] = [Number(range[1] ?? 0), Number(range[2] ?? Infinity)];
    return (value) => value !== null && value >= low && value <= high;
  }
  const [operator, text] = operatorOf(term.text);
  if (!/^[0-9]{1,9}$/.test(text)) throw new QueryError(`“${term.text}” is not a number.`);
  return (value) => value !== null && compare(operator, value, Number(text));
}

const iso = (day) => day.toISOString().slice(0, 10);

function utc(year, month, day) {
  const made = new Date(Date.UTC(2000, month - 1, day));
  made.setUTCFullYear(year, month - 1, day);
  return made;
}

// The first day of a year, month or day, and the first day after it.
function period(text) {
  const [year, month, day] = text.split("-").map(Number);
  const first = utc(year, month || 1, day || 1);
  if (!new RegExp(`^${DATE}$`).test(text) || !iso(first).startsWith(text)) throw new QueryError(`“${text}” is not a date.`);
  const after = day ? utc(year, month, day + 1) : month ? utc(year, month + 1, 1) : utc(year + 1, 1, 1);
  return [iso(first), iso(after)];
}

function daysAgo(count, unit) {
  const now = new Date();
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (unit === "d" || unit === "w") return utc(year, month + 1, day - count * (unit === "w" ? 7 : 1));
  const months = year * 12 + month - count * (unit === "y" ? 12 : 1);
  const last = utc(Math.floor(months / 12), (((months % 12) + 12) % 12) + 2, 0);
  last.setUTCDate(Math.min(day, last.getUTCDate()));
  return last;
}

// The days that a date's comparison accepts: the first one, and the first one after them.
function interval(text) {
  const range = RANGES.date.exec(text);
  if (range && range.slice(1).some(Boolean)) {
    const low = range[1] ?? range[3] ?? range[5];
    const high = range[2] ?? range[4] ?? range[6];
    return [low ? period(low)[0] : null, high ? period(high)[1] : null];
  }
  let [operator, bound] = operatorOf(text);
  const age = /^([0-9]{1,5})([dwmy])$/.exec(bound.toLowerCase());
  let [first, after] = [null, null];
  if (age) {
    const day = daysAgo(Number(age[1]), age[2]);
    [first, after] = [iso(day), iso(new Date(day.getTime() + 86400000))];
    operator = { "<": ">", "<=": ">=", "": ">=", ">": "<", ">=": "<=", "=": "=" }[operator];
  } else {
    [first, after] = period(bound);
  }
  return { "<": [null, first], "<=": [null, after], ">=": [first, null], ">": [after, null] }[operator] ?? [first, after];
}

function dateTest(term) {
  const [first, after] = interval(term.text);
  return (value) => {
    if (!value) return false;
    const day = `${value}-01-01`.slice(0, 10);
    return (first === null || day >= first) && (after === null || day < after);
  };
}

// ---- A query as a test of a row ----

const DETAILED = ["abstract", "comment", "id", "arxiv", "doi", "url", "arxiv_category", "submitted", "updated"];

// Whether long texts or identifiers could change the answer.
function needsDetails(tree) {
  if (!tree) return false;
  if (tree.field !== undefined) return tree.field === null || DETAILED.includes(tree.field);
  return (tree.and || tree.or || [tree.not]).some(needsDetails);
}

function arxivId(text) {
  const found = /^(?:arxiv:|https?:\/\/(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf)\/)?([0-9]{4}\.[0-9]{4,5}|[a-z.-]+\/[0-9]{7})(?:v[0-9]+)?(?:\.pdf)?$/i.exec(text.trim());
  return found && found[1];
}

function doiOf(text) {
  const found = /^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.[0-9]{4,9}\/\S+)$/i.exec(text.trim());
  return found && found[1].toLowerCase();
}

class Library {
  constructor(data) {
    Object.assign(this, data);
    this.size = data.key.length;
    this.texts = data.title.map((title, at) => [
      words(data.raw_title[at] ?? title), words(data.authors[at]), words(data.tag[at].map((one) => data.tags[one]).join(" | ")),
    ]);
    this.venueTexts = data.venues.map((venue) => ` ${indexed(venue)} `);
    this.tagNames = data.tags.map(fold);
    // "LLM/Serving" is also found as "Serving", and so is what is below it.
    this.categoryNames = data.categories.map((path) => {
      const spans = [];
      for (let start = 0; start < path.length; start += 1) {
        for (let end = start + 1; end <= path.length; end += 1) spans.push(fold(pathText(path.slice(start, end))));
      }
      return spans;
    });
    this.details = null;
  }

  addDetails(papers) {
    this.details = papers.map((paper) => ({
      abstract: words(`${paper.abstract ?? ""} ${paper.description ?? ""}`),
      comment: paper.comment === null ? null : ` ${indexed(paper.comment)} `,
      identifiers: paper.identifiers,
      links: paper.links.map((link) => link.url.toLowerCase()),
      arxiv_category: paper.arxiv_categories.map((name) => name.toLowerCase()),
      submitted: paper.submitted,
      updated: paper.updated,
    }));
  }

  test(tree) {
    if (tree.and) {
      const tests = tree.and.map((part) => this.test(part));
      return (row) => tests.every((test) => test(row));
    }
    if (tree.or) {
      const tests = tree.or.map((part) => this.test(part));
      return (row) => tests.some((test) => test(row));
    }
    if (tree.not) {
      const refused = this.test(tree.not);
      return (row) => !refused(row);
    }
    return this.termTest(tree);
  }

  termTest(term) {
    const { field, text, isPrefix } = term;
    const [type, ...choices] = this.types[field] ?? ["words"];
    if (type === "choice") return this.choiceTest(field, text, choices);
    const phrase = words(text).trim();
    const needle = phrase && ` ${phrase}${isPrefix ? "" : " "}`;
    const spaced = indexed(text);
    const inText = (value) => needle !== "" && value.includes(needle);
    const inLine = (value) => spaced !== "" && value !== null && value.includes(` ${spaced}${isPrefix ? "" : " "}`);
    const name = fold(text);
    const isName = isPrefix ? (known) => known.startsWith(name) : (known) => known === name;
    const detail = (test) => (row) => this.details !== null && test(this.details[row]);
    switch (field) {
      case null: return this.anywhere(term, inText);
      case "title": return (row) => inText(this.texts[row][0]);
      case "author": return (row) => inText(this.texts[row][1]);
      case "abstract": return detail((one) => inText(one.abstract));
      case "comment": return detail((one) => inLine(one.comment));
      case "venue": {
        const found = this.venueTexts.map(inLine);
        return (row) => this.venue[row] !== null && found[this.venue[row]];
      }
      case "tag": return this.numbered(this.tag, this.tagNames.map(isName));
      case "category": return this.numbered(this.category, this.categoryNames.map((names) => names.some(isName)));
      case "citekey": {
        const like = text.toLowerCase();
        const isKey = isPrefix ? (key) => key.toLowerCase().startsWith(like) : (key) => key.toLowerCase() === like;
        return (row) => isKey(this.key[row]) || (this.aliases[row] ?? []).some(isKey);
      }
      case "year": case "pass": {
        const column = field === "year" ? this.year : this.passes;
        const holds = numberTest(term);
        return (row) => holds(column[row]);
      }
      case "added": {
        const holds = dateTest(term);
        return (row) => holds(this.added[row]);
      }
      case "submitted": case "updated": {
        const holds = dateTest(term);
        return detail((one) => holds(one[field]));
      }
      case "arxiv_category": {
        const wanted = text.toLowerCase();
        return detail((one) => one.arxiv_category.some((each) => (isPrefix ? each.startsWith(wanted) : each === wanted)));
      }
      case "url": return detail((one) => one.links.some((url) => url.includes(text.toLowerCase())));
      case "id": return this.identified(text);
      case "arxiv": return this.inScheme("arxiv", arxivId(text), term);
      case "doi": return this.inScheme("doi", doiOf(text), term);
      default: throw new QueryError(`This page does not publish “${field}:”.`);
    }
  }

  // A word without a field: in the title, the authors, the tags, the abstract; with a digit it may be a key or an id.
  anywhere(term, inText) {
    const isNamed = !term.isPrefix && !term.isPhrase && /[0-9]/.test(term.text);
    const byId = isNamed ? this.identified(term.text) : () => false;
    return (row) =>
      this.texts[row].some(inText) || (this.details !== null && inText(this.details[row].abstract)) ||
      (isNamed && (this.key[row].toLowerCase() === term.text.toLowerCase() || byId(row)));
  }

  numbered(column, found) {
    return (row) => column[row].some((number) => found[number]);
  }

  identified(text) {
    const [arxiv, doi] = [arxivId(text), doiOf(text)];
    const isIt = arxiv ? ([scheme, value]) => scheme === "arxiv" && value === arxiv
      : doi ? ([scheme, value]) => scheme === "doi" && value === doi
      : ([, value]) => value === text || value === text.replace(/\/$/, "");
    return (row) => this.details !== null && this.details[row].identifiers.some(isIt);
  }

  inScheme(scheme, value, term) {
    const like = term.text.toLowerCase();
    const isIt = value === null && term.isPrefix
      ? ([of, known]) => of === scheme && known.toLowerCase().startsWith(like)
      : ([of, known]) => of === scheme && known === value;
    return (row) => this.details !== null && this.details[row].identifiers.some(isIt);
  }

  choiceTest(field, text, choices) {
    const word = text.toLowerCase();
    const value = [word, word.replace(/s$/, "")].find((each) => choices.includes(each));
    if (!value) throw new QueryError(`There is no ${field}:${text}; there are ${choices.join(", ")}.`);
    const kind = this.kinds.indexOf(value);
    if ((field === "kind" || field === "is") && kind >= 0) return (row) => this.kind[row] === kind;
    if (field === "has") {
      const bit = this.has_names.indexOf(value);
      if (bit >= 0) return (row) => (this.has[row] >> bit) % 2 === 1;
    }
    if (field === "is") {
      const states = {
        read: (row) => this.passes[row] > 0,
        unread: (row) => this.passes[row] === 0,
        done: (row) => this.passes[row] === 3,
        withdrawn: (row) => this.withdrawn[row] === 1,
      };
      if (states[value]) return states[value];
    }
    throw new QueryError(`This page does not publish “${field}:${value}”.`);
  }

  // The numbers of the rows that a query finds, the newest first.
  find(tree) {
    const test = this.test(tree);
    const found = [];
    for (let row = this.size - 1; row >= 0; row -= 1) if (test(row)) found.push(row);
    return found;
  }
}

function pathText(path) {
  return path.map((name) => name.replace(/\/|\\(?=[\\/]|$)/g, "\\$&")).join("/");
}

// ---- The page ----

const SHOWN_AT_ONCE = 100;
const FETCHED_UNASKED = 2_000_000; // Bytes of library.json that a search fetches without being asked to.

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function paperItem(library, row) {
  const item = element("li", "paper");
  const title = element("h2");
  const link = element("a", "", library.title[row]);
  link.href = `papers/${encodeURIComponent(library.page[row] ?? library.key[row])}.html`;
  title.append(link);
  item.append(title);
  if (library.authors[row]) {
    const names = library.authors[row].split(" | ");
    const shown = names.slice(0, 8).join(", ");
    item.append(element("p", "authors", names.length > 8 ? `${shown} and ${names.length - 8} more` : shown));
  }
  const facts = element("p", "facts");
  if (library.passes[row]) {
    const passes = element("span", "passes", Array(library.passes[row]).fill("✓").join(" "));
    passes.setAttribute("role", "img");
    passes.setAttribute("aria-label", `${library.passes[row]} of 3 passes`);
    facts.append(passes);
  }
  const where = [library.venues[library.venue[row]], library.year[row]].filter(Boolean).join(", ");
  if (where) facts.append(element("span", "", where));
  for (const number of library.category[row]) facts.append(element("span", "", pathText(library.categories[number])));
  item.append(facts);
  return item;
}

class SearchPage {
  constructor() {
    for (const name of ["search", "query", "status", "deeper", "found", "list", "results", "next"]) {
      this[name] = document.getElementById(name);
    }
    this.loading = null;
    this.search.hidden = false;
    if (window.matchMedia("(min-width: 60rem)").matches) {
      for (const chart of [...document.querySelectorAll("#charts details")].slice(0, 2)) chart.open = true;
    }
    this.search.addEventListener("submit", (event) => { event.preventDefault(); this.keep(true); });
    this.query.addEventListener("input", () => { this.keep(false); });
    this.query.addEventListener("focus", () => this.load().catch(() => {}), { once: true });
    this.next.addEventListener("click", () => this.showMore());
    this.deeper.addEventListener("click", () => this.loadDetails());
    document.getElementById("charts").addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      this.query.value = new URL(link.href).searchParams.get("q");
      this.keep(true);
      window.scrollTo(0, 0);
    });
    window.addEventListener("popstate", () => this.read());
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
        event.preventDefault();
        this.query.focus();
      } else if (event.key === "Escape" && this.query.value) {
        this.query.value = "";
        this.keep(true);
      }
    });
    this.read();
  }

  // The query stands in the address: a link to a search works, and so does the back button.
  keep(isWhole) {
    const address = new URL(window.location.href);
    if (this.query.value.trim()) address.searchParams.set("q", this.query.value);
    else address.searchParams.delete("q");
    if (address.href !== window.location.href) {
      const isStart = !new URL(window.location.href).searchParams.has("q");
      window.history[isWhole || isStart ? "pushState" : "replaceState"](null, "", address);
    }
    this.answer();
  }

  read() {
    this.query.value = new URL(window.location.href).searchParams.get("q") ?? "";
    this.answer();
  }

  load() {
    this.loading ??= fetch("search.json").then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    }).then((data) => new Library(data)).catch((error) => { this.loading = null; throw error; });
    return this.loading;
  }

  async answer() {
    const asked = this.query.value.trim();
    this.found.hidden = !asked;
    this.list.hidden = Boolean(asked);
    this.deeper.hidden = true;
    if (!asked) { this.status.textContent = ""; return; }
    let library;
    try {
      library = await this.load();
    } catch {
      this.found.hidden = true;
      this.list.hidden = false;
      this.status.textContent = window.location.protocol === "file:"
        ? "The search needs a web server, such as `python -m http.server` in this folder."
        : "The search could not be loaded. Try again in a while.";
      return;
    }
    if (asked !== this.query.value.trim()) return;
    this.show(library, asked);
  }

  show(library, asked) {
    let tree;
    try {
      tree = parse(asked, library.fields);
      this.rows = library.find(tree);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      this.status.textContent = error.message;
      return;
    }
    this.library = library;
    this.results.replaceChildren();
    this.shown = 0;
    this.showMore();
    const isPartial = library.details === null && needsDetails(tree);
    const count = `${this.rows.length.toLocaleString("en")} of ${library.size.toLocaleString("en")} papers`;
    this.status.textContent = isPartial ? `${count}, without their abstracts` : count;
    if (isPartial && library.library_bytes <= FETCHED_UNASKED) this.loadDetails();
    else if (isPartial) {
      this.deeper.textContent = `Search abstracts too (${Math.ceil(library.library_bytes / 1e6)} MB before compression)`;
      this.deeper.hidden = false;
    }
  }

  async loadDetails() {
    const library = this.library;
    this.deeper.hidden = true;
    try {
      const answer = await fetch("library.json");
      if (!answer.ok) throw new Error(String(answer.status));
      const papers = await answer.json();
      if (library.details === null) library.addDetails(papers);
    } catch {
      this.status.textContent += "; these could not be loaded";
      return;
    }
    this.answer();
  }

  showMore() {
    const rows = this.rows.slice(this.shown, this.shown + SHOWN_AT_ONCE);
    this.results.append(...rows.map((row) => paperItem(this.library, row)));
    this.shown += rows.length;
    this.next.hidden = this.shown >= this.rows.length;
  }
}

function offerCopy() {
  const button = document.getElementById("copy");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = document.getElementById("copied");
    try {
      await navigator.clipboard.writeText(document.getElementById("bibtex").textContent);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "The browser does not let this page copy. Select the text instead.";
    }
  });
}

if (document.getElementById("search")) new SearchPage();
offerCopy();
