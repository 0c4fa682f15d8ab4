// Fields of the tools. Numbers are entered with a mouse or a finger alone: a keypad opens with their field.

class NumberField {
  constructor(label, unit, value, changed, done) {
    this.input = element("input", { type: "text", inputMode: "decimal", size: 6, value: String(value) });
    this.pad = element("span", { className: "keypad", hidden: true });
    this.pad.setAttribute("role", "group");
    this.pad.setAttribute("aria-label", `Digits of ${label}`);
    this.fresh = true;
    this.changed = changed;
    for (const key of ["7", "8", "9", "4", "5", "6", "1", "2", "3", "0", ".", "⌫"]) {
      const button = element("button", { type: "button", textContent: key });
      if (key === "⌫") button.setAttribute("aria-label", "Delete");
      button.addEventListener("click", () => this.press(key));
      this.pad.append(button);
    }
    this.input.addEventListener("focus", () => this.open());
    this.input.addEventListener("keydown", (event) => event.key === "Enter" && this.isComplete && changed() && done());
    this.input.addEventListener("input", () => {
      this.fresh = false;
      this.changed();
    });
    this.box = element("span", { className: "number" }, element("label", {}, `${label} `, this.input, ` ${unit}`), this.pad);
  }

  open() {
    for (const other of document.querySelectorAll(".keypad")) other.hidden = other !== this.pad;
    this.pad.hidden = false;
    this.fresh = true;
  }

  press(key) {
    const before = this.fresh && key !== "⌫" ? "" : this.input.value;
    this.input.value = key === "⌫" ? before.slice(0, -1) : before + key;
    this.fresh = false;
    this.changed();
  }

  get isComplete() {
    return this.value > 0;
  }

  // A comma is the decimal sign of many people.
  get value() {
    const text = this.input.value.trim().replace(",", ".");
    return text === "" ? NaN : Number(text);
  }
}

// A text; Enter is as good as the button.
class TextField {
  constructor(label, changed, done) {
    this.input = element("input", { type: "text", size: 16, maxLength: 60 });
    this.input.addEventListener("input", changed);
    this.input.addEventListener("keydown", (event) => event.key === "Enter" && this.isComplete && changed() && done());
    this.box = element("span", { className: "number" }, element("label", {}, `${label} `, this.input));
  }

  open() {
    this.input.focus();
  }

  get isComplete() {
    return this.value !== "";
  }

  get value() {
    return this.input.value.trim();
  }
}
