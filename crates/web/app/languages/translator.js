// Replaces the English texts of the app, and of the page in its frame, by those of a language's table, also the
// texts that come later. Nothing of it is loaded for English.

const SHOWN = ["title", "aria-label", "alt"];
// What belongs to the user, or has a language of its own.
const OWN = "h1, option[lang], .corner-name, script, style";
// Of the sidecar's options, which are its file's words, only the hints are translated.
const OPTION = "#sidecar .entry, .file";
// Texts that a page has shown: numbers run through thousands of them.
const MAX_KNOWN = 4000;

// A key as a pattern, and the function that fills the translation with the parts that the key leaves open.
function pattern(key, translation) {
  const escaped = key.split("{}").map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  let count = 0;
  const places = translation.replace(/\{\}/g, () => `{${++count}}`);
  return {
    expression: new RegExp(`^${escaped.join("(.+?)")}$`, "s"),
    fill: (parts) => places.replace(/\{(\d)\}/g, (_, number) => parts[number - 1]),
  };
}

class Table {
  constructor(texts) {
    this.texts = new Map(Object.entries(texts));
    this.known = new Map();
    const open = Object.entries(texts).filter(([key]) => key.includes("{}"));
    // The longest first: it fits fewer texts than a short one.
    open.sort(([a], [b]) => b.length - a.length);
    this.patterns = open.map(([key, translation]) => pattern(key, translation));
  }

  // The translation of a text with its blanks; what is not in the table stays English.
  of(text) {
    const [, before, core, after] = text.match(/^(\s*)(.*?)(\s*)$/s);
    if (!/\p{L}/u.test(core)) return text;
    let found = this.known.get(core);
    if (found === undefined) {
      found = this.found(core) ?? core;
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(core, found);
    }
    return before + found + after;
  }

  found(text) {
    const whole = this.texts.get(text);
    if (whole !== undefined) return whole;
    for (const { expression, fill } of this.patterns) {
      const match = text.match(expression);
      if (match) return fill(match.slice(1).map((part) => this.of(part)));
    }
    return this.pieces(text, "  ·  ") ?? this.lastPiece(text, ", ") ?? this.lastPiece(text, " …");
  }

  // A list, of which each entry is translated.
  pieces(text, mark) {
    return text.includes(mark) ? text.split(mark).map((piece) => this.of(piece)).join(mark) : null;
  }

  // A text with a unit or a mark behind it.
  lastPiece(text, mark) {
    const at = text.lastIndexOf(mark);
    return at > 0 ? this.of(text.slice(0, at)) + mark + this.of(text.slice(at + mark.length)) : null;
  }
}

// The texts of one document: what was English, and what stands there now.
class Texts {
  constructor(document) {
    this.document = document;
    this.table = null;
    this.english = new WeakMap();
    this.observer = new MutationObserver((changes) => this.changed(changes));
  }

  turnTo(code, table) {
    this.observer.disconnect();
    this.table = table;
    this.document.documentElement.lang = code;
    this.within(this.document.documentElement);
    const what = { subtree: true, childList: true, characterData: true, attributeFilter: SHOWN };
    if (table) this.observer.observe(this.document.documentElement, what);
  }

  changed(changes) {
    for (const { type, target, attributeName, addedNodes } of changes) {
      if (type === "childList") addedNodes.forEach((node) => this.within(node));
      else if (type === "attributes") this.attribute(target, attributeName);
      else this.text(target);
    }
    // What was written here is no change of the page.
    this.observer.takeRecords();
  }

  within(node) {
    const parent = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    if (!parent || parent.closest(OWN)) return;
    if (node.nodeType === Node.TEXT_NODE) this.text(node);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    for (const name of SHOWN) if (node.hasAttribute(name)) this.attribute(node, name);
    node.childNodes.forEach((child) => this.within(child));
  }

  // The translation for a place of a node, which then counts as its text.
  next(node, place, now) {
    if (!this.english.has(node)) this.english.set(node, {});
    const places = this.english.get(node);
    // Another text than the one that was written here is the page's own.
    if (places[place]?.written !== now) places[place] = { english: now };
    const written = this.table ? this.table.of(places[place].english) : places[place].english;
    places[place].written = written;
    return written;
  }

  text(node) {
    if (!node.parentElement || node.parentElement.closest(`${OWN}, ${OPTION}`)) return;
    const now = node.data;
    const next = this.next(node, "text", now);
    if (next !== now) node.data = next;
  }

  attribute(node, name) {
    if (node.closest(OWN)) return;
    const now = node.getAttribute(name);
    if (now === null) return;
    const next = this.next(node, name, now);
    if (next !== now) node.setAttribute(name, next);
  }
}

export class Translator {
  constructor(frame) {
    this.frame = frame;
    this.code = "en";
    this.table = null;
    this.own = new Texts(document);
    frame.addEventListener("load", () => this.framed());
    this.awaits = false;
    new MutationObserver(() => this.next()).observe(frame, { attributeFilter: ["srcdoc"] });
  }

  // Translates into a language, or back into English.
  async turnTo(code) {
    const table = code === "en" ? null : await this.loaded(code);
    [this.code, this.table] = [code, table];
    this.own.turnTo(code, table);
    this.framed();
  }

  async loaded(code) {
    const answer = await fetch(new URL(`${code}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`no texts of ${code}`);
    return new Table(await answer.json());
  }

  next() {
    this.awaits = true;
    this.soon(this.frame.contentDocument);
  }

  // Translates the page that follows `before` as soon as its scripts have run, so that no English is seen before.
  soon(before) {
    const page = this.frame.contentDocument;
    if (!this.awaits) return;
    if (page === before || page?.readyState === "loading") requestAnimationFrame(() => this.soon(before));
    else this.framed();
  }

  framed() {
    this.awaits = false;
    const page = this.frame.contentDocument;
    if (!page?.body || (!this.table && !this.inner)) return;
    if (this.inner?.document !== page) this.inner = new Texts(page);
    this.inner.turnTo(this.code, this.table);
    this.drawn(this.frame.contentWindow);
  }

  // Texts on a canvas are translated when they are drawn.
  drawn(window) {
    const { prototype } = window.CanvasRenderingContext2D ?? {};
    if (!prototype || !window.raceline) return;
    if (!prototype.isTranslated) {
      prototype.isTranslated = true;
      for (const name of ["fillText", "strokeText", "measureText"]) {
        const draw = prototype[name];
        const translated = (text) => (this.table ? this.table.of(String(text)) : text);
        prototype[name] = function (text, ...rest) {
          return draw.call(this, translated(text), ...rest);
        };
      }
    }
    const { map, charts } = window.raceline;
    map?.draw?.();
    map?.drawOverlay();
    charts?.draw();
  }
}
