// A folder of tracks: cards, their order, and which are shown.

const { entries } = JSON.parse(byId("data").textContent);

// Whole days since a date; the page is made without one of its own, so that it is the same each time.
const age = (date) => {
  const days = Math.floor((Date.now() - Date.parse(date)) / 86_400_000);
  return days < 1 ? "today" : days === 1 ? "a day ago" : `${days} days ago`;
};

function card(entry) {
  const name = entry.page ? element("a", { href: entry.page, textContent: entry.name }) : entry.name;
  const item = element("li", { className: "track" }, element("h2", {}, name));
  // The drawing is made of numbers alone.
  if (entry.thumbnail) item.append(new DOMParser().parseFromString(entry.thumbnail.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'), "image/svg+xml").documentElement);
  if (entry.lap_time_s !== null) {
    item.append(element("p", { className: "facts" }, element("b", { textContent: lapText(entry.lap_time_s) }), ` over ${entry.length}`));
  }
  const facts = [entry.vehicle, entry.status, entry.committed ? `in git since ${entry.committed}, ${age(entry.committed)}` : null];
  item.append(element("p", { className: "faint", textContent: facts.filter(Boolean).join("  ·  ") }));
  if (entry.error) item.append(element("p", { className: "wrong", textContent: entry.error }));
  for (const text of entry.drift ?? []) item.append(element("p", { className: "wrong", textContent: `Since the last commit: ${text}` }));
  for (const text of entry.warnings) item.append(element("p", { className: "doubt", textContent: text }));
  return item;
}

const cards = new Map(entries.map((entry) => [entry, card(entry)]));
const shown = {
  all: () => true,
  warned: (entry) => entry.warnings.length > 0,
  drifted: (entry) => (entry.drift?.length ?? 0) > 0,
  failed: (entry) => Boolean(entry.error),
};
// What is missing comes last.
const keys = {
  name: null,
  lap_time_s: (entry) => entry.lap_time_s ?? Infinity,
  length_m: (entry) => entry.length_m ?? Infinity,
  warnings: (entry) => -entry.warnings.length,
  drift: (entry) => -(entry.drift?.length ?? -1),
  committed: (entry) => (entry.committed ? Date.parse(entry.committed) : Infinity),
};

function draw() {
  const text = byId("text").value.trim().toLowerCase();
  const kept = entries.filter((entry) => shown[byId("only").value](entry) && entry.name.toLowerCase().includes(text));
  const key = keys[byId("order").value];
  const byName = (a, b) => a.name.localeCompare(b.name, "en", { numeric: true });
  kept.sort((a, b) => (key ? key(a) - key(b) || 0 : 0) || byName(a, b));
  if (byId("reverse").checked) kept.reverse();
  byId("tracks").replaceChildren(...kept.map((entry) => cards.get(entry)));
  byId("count").textContent = kept.length === entries.length ? `${entries.length} tracks` : `${kept.length} of ${entries.length} tracks`;
}

byId("choice").addEventListener("input", draw);
byId("choice").addEventListener("submit", (event) => event.preventDefault());
draw();
globalThis.raceline = { entries };
