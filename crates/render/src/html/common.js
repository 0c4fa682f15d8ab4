// What every page uses.

const byId = (id) => document.getElementById(id);
const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const mix = (a, b, share) => a + (b - a) * share;

const lapText = (seconds) => {
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(3);
  return minutes ? `${minutes}:${rest.padStart(6, "0")}` : `${rest} s`;
};

