// What no first line needs lives here: logs, drives and formats. The program is loaded when it is asked for the first time.
import start, { DriverLog, driveNote, exportLine, formats } from "./later/raceline_later.js";
import { answer } from "./answers.js";

// The log that is open.
let log = null;

const tasks = {
  formats: () => JSON.parse(formats()),
  // Road and vehicle of a log, which stays open.
  log({ name, bytes }) {
    const opened = new DriverLog(name, new Uint8Array(bytes));
    try {
      const drive = opened.drive();
      log?.free();
      log = opened;
      return drive;
    } catch (error) {
      opened.free();
      throw error;
    }
  },
  // Laps of the log beside a line.
  laps(line) {
    if (!log) throw new Error("the log is to be opened again");
    return log.laps(line);
  },
  // The fastest lap of another log beside a line, as a table.
  fastest({ name, bytes }, line) {
    const opened = new DriverLog(name, new Uint8Array(bytes));
    try {
      return JSON.parse(opened.laps(line))[0].table;
    } finally {
      opened.free();
    }
  },
  drive: (line) => driveNote(line),
  export: (line, format) => exportLine(line, format),
};

answer(start, tasks);
