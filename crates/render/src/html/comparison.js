// What the line is compared with: lines and driven laps of files, chosen by name or dropped on the page.

class Comparison {
  constructor({ compared }, editor) {
    this.editor = editor;
    // What was refused of several files, for the next page; whether some are on their way.
    this.refusal = "";
    this.isBusy = false;
    this.choice = element("select", { id: "compare", title: "Lines and driven laps" });
    this.choice.setAttribute("aria-label", "Compare");
    this.choice.addEventListener("focus", () => this.fill());
    this.choice.addEventListener("change", () => this.chosen(this.choice.value));
    this.files = element("input", { id: "compared", type: "file", multiple: true, hidden: true });
    this.files.setAttribute("aria-label", "Lines and driven laps");
    this.files.addEventListener("change", () => this.add([...this.files.files]));
    editor.bar.append(this.choice, this.files);
    this.hasAny = compared.length > 0;
    if (this.hasAny) editor.list.after(this.list(compared));
    this.names = [];
    this.show();
    this.fill();
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.add([...event.dataTransfer.files]);
    });
  }

  list(compared) {
    const list = element("div", { id: "comparison" }, "Compared with:");
    let shown = 0;
    compared.forEach(({ name, is_shown }, index) => {
      const swatch = element("i", { className: "swatch" });
      if (is_shown) swatch.style.background = roadColour(++shown);
      const remove = element("button", { type: "button", textContent: "×" });
      remove.setAttribute("aria-label", `Remove ${name}`);
      remove.addEventListener("click", () => this.change([{ do: "drop", index }]));
      const entry = element("span", { className: "entry" }, swatch, element("span", { textContent: name }), remove);
      entry.classList.toggle("away", !is_shown);
      if (!is_shown) entry.title = "It is not of this track.";
      list.append(entry);
    });
    return list;
  }

  // Files may come and go while the page is open.
  async fill() {
    const names = await comparable().catch(() => []);
    if (names.join("\n") === this.names.join("\n")) return;
    this.names = names;
    this.show();
  }

  show() {
    const option = (value, textContent, title = "") => element("option", { value, textContent, title });
    this.choice.replaceChildren(
      option("", "Compare …"),
      option("keep", "keep this line", "keep this line, and compare the next ones with it"),
      option("file", "add a line or a driven lap", "a racing-line file, or the log of a drive"));
    if (this.hasAny) this.choice.append(option("clear", "compare no more"));
    this.choice.append(...this.names.map((name, k) => option(`${k}`, name)));
  }

  chosen(value) {
    this.choice.value = "";
    if (value === "file") this.files.click();
    else if (value === "keep" || value === "clear") this.change([{ do: value }]);
    else if (value) this.change([{ do: "add", name: this.names[value] }]);
  }

  add(files) {
    return this.change(...files.map((file) => [{ do: "add", name: file.name }, file]));
  }

  // Each change is alone or with the file that it names. The next page waits for the last of them.
  async change(...changes) {
    this.isBusy = true;
    const refusals = [];
    for (const one of changes) {
      const refusal = await compared(...one).catch((error) => error.message);
      if (refusal) refusals.push(refusal);
    }
    this.isBusy = false;
    this.refusal = refusals.join(" · ");
    if (this.refusal) this.editor.refused(this.refusal);
  }
}
