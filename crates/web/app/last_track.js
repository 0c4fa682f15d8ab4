// The browser keeps the files and the sidecar of the track that was open last, so that nothing is lost when it is closed.
// It may keep nothing, as for a page in another site's frame: then nothing is kept.

const STORE = "tracks";
const KEY = "last";

function store(mode, act) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("raceline", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        done(asked.result);
      };
      transaction.onerror = () => failed(transaction.error);
    };
  });
}

// Its name and its files; null where none is kept.
export const read = () => store("readonly", (tracks) => tracks.get(KEY)).catch(() => null);

export const drop = () => store("readwrite", (tracks) => tracks.delete(KEY));

// The sidecar is that of the track as it was changed last.
export function keep(files, { name, sidecar }) {
  const track = files.filter((file) => !file.name.endsWith(".toml"));
  const changes = { name: `${name}.toml`, bytes: new TextEncoder().encode(sidecar).buffer };
  return store("readwrite", (tracks) => tracks.put({ name, files: [...track, changes] }, KEY)).catch(() => {});
}
