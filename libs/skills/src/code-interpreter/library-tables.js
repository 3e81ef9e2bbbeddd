// Runs inside the sandbox, before a program: CSV, and tables as lists of records.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ define, isEmpty, parseNumber, Decimal }) => {
  /** Sets an own property whatever its name is: a column may be called __proto__. */
  function put(row, name, value) {
    if (name === "__proto__")
      Object.defineProperty(row, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else row[name] = value;
  }

  const separators = [",", ";", "\t", "|"];
  /** The separator that divides the first lines into the same number of cells most often. */
  function findSeparator(text) {
    const lines = text
      .slice(0, 20_000)
      .replace(/"[^"]*"/g, "")
      .split(/\r\n|\n|\r/)
      .filter((line) => line.trim() !== "")
      .slice(0, 20);
    let best = ",";
    let most = 0;
    for (const separator of separators) {
      const counts = lines.map((line) => line.split(separator).length - 1);
      const same = counts.filter((count) => count === counts[0]).length;
      const score = counts[0] > 0 ? same * 100 + Math.min(counts[0], 99) : 0;
      if (score > most) {
        most = score;
        best = separator;
      }
    }
    return best;
  }

  /** Rows of cells; quotes are as in RFC 4180. Built from the engine's own searches, for speed. */
  function splitCsv(text, separator) {
    const lines = text.split("\n");
    const rows = [];
    for (let n = 0; n < lines.length; n++) {
      let line = lines[n];
      if (line.includes('"')) {
        // A quoted cell may have line breaks: the line goes on until its quotes are even.
        const joined = [line];
        let quotes = line.split('"').length - 1;
        while (quotes % 2 === 1 && n + 1 < lines.length) {
          n++;
          joined.push(lines[n]);
          quotes += lines[n].split('"').length - 1;
        }
        rows.push(splitQuoted(joined.length === 1 ? line : joined.join("\n"), separator));
        continue;
      }
      if (line.endsWith("\r")) line = line.slice(0, -1);
      if (line !== "") rows.push(line.split(separator));
    }
    return rows;
  }

  /** The cells of a row that has quotes. */
  function splitQuoted(line, separator) {
    const cells = [];
    let at = 0;
    for (;;) {
      let cell = "";
      if (line[at] === '"') {
        for (;;) {
          const quote = line.indexOf('"', at + 1);
          cell += line.slice(at + 1, quote < 0 ? line.length : quote);
          at = quote < 0 ? line.length : quote + 1;
          if (line[at] !== '"') break;
          cell += '"';
        }
      }
      const end = line.indexOf(separator, at);
      cell += line.slice(at, end < 0 ? line.length : end);
      if (end < 0) return [...cells, cell.endsWith("\r") ? cell.slice(0, -1) : cell];
      cells.push(cell);
      at = end + 1;
    }
  }

  /** Not 007 and no telephone numbers: only what is written as the number would be. */
  const plainNumber = /^ *-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})? *$/;

  function toRows(lines, { header = true, numbers = true } = {}) {
    const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
    const names = [];
    const taken = new Set();
    for (let n = 0; n < width; n++) {
      const own = (header ? (lines[0][n] ?? "").trim() : "") || `column${n + 1}`;
      let name = own;
      for (let copy = 2; taken.has(name); copy++) name = `${own} (${copy})`;
      taken.add(name);
      names.push(name);
    }
    const body = header ? lines.slice(1) : lines;
    const isNumeric = names.map(
      (_, n) =>
        numbers && body.every((line) => !line[n] || plainNumber.test(line[n]) || isEmpty(line[n])),
    );
    const isPlain = !taken.has("__proto__");
    return body.map((line) => {
      const row = {};
      for (let n = 0; n < width; n++) {
        let cell = line[n] ?? "";
        if (isNumeric[n]) cell = isEmpty(cell) ? null : Number(cell);
        if (isPlain) row[names[n]] = cell;
        else put(row, names[n], cell);
      }
      return row;
    });
  }

  /**
   * Columns with nothing but plain numbers become numbers, others stay texts.
   * Options: separator (default: detected), header (default: true), numbers (default: true).
   */
  function parseCsv(text, options = {}) {
    const given = String(text);
    const bare = given.startsWith("\uFEFF") ? given.slice(1) : given;
    const hint = /^sep=(.)\r?\n/i.exec(bare);
    const content = hint === null ? bare : bare.slice(hint[0].length);
    const lines = splitCsv(content, options.separator ?? hint?.[1] ?? findSeparator(content));
    return lines.length === 0 ? [] : toRows(lines, options);
  }

  /** The first table of a Markdown text. */
  function parseMarkdownTable(text, options = {}) {
    const cells = (line) =>
      line
        .trim()
        .replace(/^\||\|$/g, "")
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replace(/\\\|/g, "|"));
    const lines = String(text).split("\n");
    const rule = lines.findIndex(
      (line) => /^\s*\|?[\s:|-]*-{3}[\s:|-]*$/.test(line) && line.includes("|"),
    );
    if (rule < 1) return [];
    let end = rule + 1;
    while (end < lines.length && lines[end].includes("|")) end++;
    return toRows([lines[rule - 1], ...lines.slice(rule + 1, end)].map(cells), options);
  }

  /**
   * The rows of a spreadsheet's or CSV file's text in Carrel: a paragraph of `name: value` lines for
   * each, without empty cells. Titles and remarks beside the table are left out.
   */
  function parseRecords(text, options = {}) {
    const paragraphs = String(text)
      .split(/\n{2,}/)
      .filter((each) => each.trim() !== "");
    const columns = new Map();
    const counts = [];
    const findColumn = (name) => {
      let column = columns.get(name);
      if (column === undefined) {
        column = columns.size;
        columns.set(name, column);
        counts.push(0);
      }
      return column;
    };
    /** The cells by column; null if the paragraph is another. */
    function readRecord(paragraph) {
      const cells = [];
      let column = -1;
      for (const line of paragraph.split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) {
          if (line.startsWith("Comment on ") || line.startsWith("Comment by ")) continue;
          const name = line.slice(0, colon);
          column = findColumn(name);
          for (let copy = 2; cells[column] !== undefined; copy++)
            column = findColumn(`${name} (${copy})`);
          cells[column] = line.slice(colon + 2);
          counts[column]++;
        } else if (column < 0) return null;
        // A cell may have line breaks.
        else cells[column] += `\n${line}`;
      }
      return column < 0 ? null : cells;
    }
    const records = paragraphs.map(readRecord).filter((cells) => cells !== null);
    const most = counts.reduce((best, count, column) => (count > counts[best] ? column : best), 0);
    const isShown = [];
    for (const cells of records)
      if (cells[most] !== undefined) for (const column in cells) isShown[column] = true;
    const rows = records.filter((cells) => {
      for (const column in cells) if (isShown[column] !== true) return false;
      return true;
    });
    if (rows.length === 0 || rows.length * 2 < paragraphs.length) return [];
    const shown = [...columns].filter(([, column]) => isShown[column] === true);
    const lines = rows.map((cells) => shown.map(([, column]) => cells[column] ?? ""));
    return toRows([shown.map(([name]) => name), ...lines], options);
  }

  const columnsOf = (rows) => {
    const names = new Set();
    for (const row of rows) for (const name of Object.keys(row)) names.add(name);
    return [...names];
  };
  function formatCsv(rows, { separator = ",", columns = columnsOf(rows) } = {}) {
    const write = (value) => {
      const text = isEmpty(value) ? "" : String(value);
      return /["\r\n]/.test(text) || text.includes(separator)
        ? `"${text.replace(/"/g, '""')}"`
        : text;
    };
    const line = (cells) => cells.map(write).join(separator);
    return [line(columns), ...rows.map((row) => line(columns.map((name) => row[name])))].join("\n");
  }

  const reader = (key) => (typeof key === "function" ? key : (row) => row[key]);

  /** Rows by the value of a column or a function, in an object without prototype. */
  function groupBy(rows, key) {
    const groups = Object.create(null);
    const read = reader(key);
    for (const row of rows) {
      const name = String(read(row) ?? "");
      (groups[name] ??= []).push(row);
    }
    return groups;
  }

  const compare = (a, b) => {
    if (isEmpty(a) || isEmpty(b)) return isEmpty(a) ? (isEmpty(b) ? 0 : 1) : -1;
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (a instanceof Decimal && b instanceof Decimal) return a.compareTo(b);
    const [x, y] = [parseNumber(a), parseNumber(b)];
    if (x !== null && y !== null) return x - y;
    return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
  };
  /** A sorted copy; empty values come last. */
  function sortBy(rows, key, order = "asc") {
    const read = reader(key);
    const sign = order === "desc" ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [read(a), read(b)];
      return isEmpty(x) || isEmpty(y) ? compare(x, y) : sign * compare(x, y);
    });
  }

  /**
   * Rows of both tables with the same key, a column or { left, right }. kind: inner or left. Columns
   * that both have keep the left value.
   */
  function join(left, right, key, kind = "inner") {
    const [leftKey, rightKey] = typeof key === "object" ? [key.left, key.right] : [key, key];
    const [readLeft, readRight] = [reader(leftKey), reader(rightKey)];
    const index = new Map();
    for (const row of right) {
      const name = String(readRight(row) ?? "");
      if (index.has(name)) index.get(name).push(row);
      else index.set(name, [row]);
    }
    const joined = [];
    for (const row of left) {
      const found = index.get(String(readLeft(row) ?? ""));
      if (found !== undefined) for (const other of found) joined.push({ ...other, ...row });
      else if (kind === "left") joined.push({ ...row });
    }
    return joined;
  }

  const aggregates = {
    sum: globalThis.sum,
    mean: globalThis.mean,
    median: globalThis.median,
    min: globalThis.smallest,
    max: globalThis.largest,
    count: (values) => values.length,
  };
  /**
   * One row for each value of `rows`, one column for each value of `columns`. aggregate: sum
   * (default), mean, median, min, max, count, or a function of the values.
   */
  function pivot(table, { rows, columns, value, aggregate = "sum" }) {
    const work = typeof aggregate === "function" ? aggregate : aggregates[aggregate];
    if (typeof work !== "function") throw new TypeError(`unknown aggregate ${String(aggregate)}`);
    const [readRow, readColumn] = [reader(rows), reader(columns)];
    const readValue = value === undefined ? () => 1 : reader(value);
    const names = new Set();
    const lines = new Map();
    for (const row of table) {
      const line = String(readRow(row) ?? "");
      const column =
        columns === undefined ? aggregateName(value, aggregate) : String(readColumn(row) ?? "");
      names.add(column);
      if (!lines.has(line)) lines.set(line, new Map());
      const cells = lines.get(line);
      if (!cells.has(column)) cells.set(column, []);
      cells.get(column).push(readValue(row));
    }
    const label = typeof rows === "string" ? rows : "row";
    return [...lines].map(([line, cells]) => {
      const row = {};
      put(row, label, line);
      for (const name of names) put(row, name, cells.has(name) ? work(cells.get(name)) : null);
      return row;
    });
  }
  const aggregateName = (value, aggregate) =>
    typeof value === "string" ? value : typeof aggregate === "string" ? aggregate : "value";

  const unique = (rows, key) => [...new Set(key === undefined ? rows : rows.map(reader(key)))];

  define({
    parseCsv,
    parseTsv: (text, options) => parseCsv(text, { separator: "\t", ...options }),
  });
  define({ parseMarkdownTable, parseRecords, formatCsv, groupBy, sortBy, join, pivot, unique });
};
