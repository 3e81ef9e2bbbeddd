// Runs inside the sandbox, before a program: its documents, and what it shows. The host calls the
// two functions that this returns; nothing of the host can be called from here.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ define, isEmpty, Decimal }) => {
  const { stringify, parse } = JSON;
  const { keys, getOwnPropertyDescriptor } = Object;
  const limit = 100_000;
  const mostCells = 1_000;

  const parts = [];
  let length = 0;
  let isCut = false;
  const outputs = [];

  /** A value as text: texts as they are, others like JSON. */
  function show(value) {
    if (typeof value === "string") return value;
    if (value === undefined) return "undefined";
    if (typeof value === "function") return `[function ${value.name}]`;
    if (typeof value === "symbol" || typeof value === "bigint") return String(value);
    if (value instanceof Decimal) return value.toString();
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    const seen = [];
    return (
      stringify(value, function replace(_, inner) {
        if (typeof inner === "bigint" || typeof inner === "symbol") return String(inner);
        if (typeof inner === "function") return `[function ${inner.name}]`;
        if (typeof inner === "number" && !Number.isFinite(inner)) return String(inner);
        if (inner instanceof Error) return `${inner.name}: ${inner.message}`;
        if (typeof inner !== "object" || inner === null) return inner;
        while (seen.length > 0 && seen[seen.length - 1] !== this) seen.pop();
        if (seen.includes(inner)) return "[circular]";
        seen.push(inner);
        if (inner instanceof Map) return Object.fromEntries(inner);
        if (inner instanceof Set) return [...inner];
        if (ArrayBuffer.isView(inner)) return [...inner];
        return inner;
      }) ?? String(value)
    );
  }

  function print(...values) {
    if (isCut) return;
    let text = "";
    for (let n = 0; n < values.length; n++) text += (n === 0 ? "" : " ") + show(values[n]);
    if (length + text.length + 1 > limit) {
      isCut = true;
      text = text.slice(0, limit - length);
    }
    length += text.length + 1;
    parts[parts.length] = text;
  }

  /** What a table or chart can contain: text, number or nothing. */
  function toCell(value) {
    if (isEmpty(value)) return null;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (value instanceof Decimal) return value.toString();
    const text = value instanceof Date ? value.toISOString() : show(value);
    return text.length > mostCells ? `${text.slice(0, mostCells)}…` : text;
  }
  const own = (row, name) => getOwnPropertyDescriptor(row, name)?.value;
  function add(output) {
    if (outputs.length >= 10)
      throw new RangeError("a program can show at most 10 tables and charts");
    outputs[outputs.length] = output;
  }

  /** Shows rows to the person: records, or lists with the names of the columns as third argument. */
  function table(rows, title = "", columns = undefined) {
    if (!Array.isArray(rows))
      throw new TypeError("table: the first argument must be a list of rows");
    let names = columns;
    if (names === undefined) {
      const found = new Set();
      for (const row of rows.slice(0, 1_000))
        if (typeof row === "object" && row !== null) for (const name of keys(row)) found.add(name);
      names = [...found];
    }
    names = names.slice(0, 100).map(String);
    add({
      type: "table",
      title: String(title),
      columns: names,
      rows: rows
        .slice(0, 1_000)
        .map((row) =>
          names.map((name, n) => toCell(Array.isArray(row) ? row[n] : own(Object(row), name))),
        ),
      total: rows.length,
    });
  }

  const charts = [
    "area",
    "bar",
    "line",
    "composed",
    "scatter",
    "pie",
    "radar",
    "radialBar",
    "treemap",
    "funnel",
  ];
  /**
   * Shows a chart to the person: { type, title, rows, name, series, caption }. `name` is the column
   * with the names; `series` lists the columns with numbers (default: all of them).
   */
  function chart({ type, title = "", rows, name, series, caption }) {
    if (!charts.includes(type))
      throw new TypeError(`chart: type must be one of ${charts.join(", ")}`);
    if (!Array.isArray(rows) || rows.length === 0)
      throw new TypeError("chart: rows must be a list of records");
    if (rows.length > 1_000) throw new RangeError("chart: at most 1,000 rows; group them first");
    const all = keys(Object(rows[0]));
    const label = name ?? (all.includes("name") ? "name" : all[0]);
    const shown = series ?? all.filter((key) => key !== label);
    add({
      type: "chart",
      chart: type,
      title: String(title),
      ...(caption === undefined ? {} : { caption: String(caption) }),
      rows: rows.map((row) => {
        const cells = { name: toCell(own(Object(row), label)) };
        for (const key of shown) {
          if (key === "__proto__") continue;
          const value = own(Object(row), key);
          cells[key] = value instanceof Decimal ? value.toNumber() : toCell(value);
        }
        return cells;
      }),
    });
  }

  const files = Object.create(null);
  const { parseCsv, parseMarkdownTable, parseRecords } = globalThis;
  const find = (name) => {
    if (files[name] === undefined)
      throw new ReferenceError(
        `no document ${stringify(name)}; in "files": ${Object.keys(files).join(", ") || "none"}`,
      );
    return files[name];
  };
  /** The document's text. */
  const readText = (name) => find(name).text;
  /** The document's rows as records: of a spreadsheet, of CSV, or of its first table. */
  function readRows(name) {
    const { text } = find(name);
    const table = parseMarkdownTable(text);
    if (table.length > 0) return table;
    const records = parseRecords(text);
    return records.length > 0 ? records : parseCsv(text);
  }

  define({
    print,
    table,
    chart,
    readText,
    readRows,
    console: { log: print, error: print, warn: print, info: print },
  });

  /** Called by the host before the program: with each document, and with the input. */
  function provide(kind, name, text) {
    if (kind === "file") files[name] = { text };
    else {
      let value = text;
      if (/^\s*[[{]/.test(text))
        try {
          value = parse(text);
        } catch {
          // Not JSON: the program gets the text.
        }
      define({ input: value });
    }
  }

  /** Where the program was: its own lines of a stack, without those of these helpers. */
  function linesOf(error) {
    const found = [];
    for (const line of String(error.stack ?? "").split("\n")) {
      const place = /program\.js:(\d+):(\d+)/.exec(line);
      if (place !== null && found.length < 5) found.push([Number(place[1]), Number(place[2])]);
    }
    return found;
  }

  /** Called by the host after the program, once. Returns JSON. */
  function collect(kind, value) {
    let shown = null;
    let fault = null;
    if (kind === "value") {
      if (value !== undefined) {
        const before = parts.length;
        print(value);
        shown = parts.length > before ? parts.pop() : null;
      }
    } else if (value instanceof Error)
      fault = {
        message: `${value.name}: ${value.message}`.slice(0, 2_000),
        places: linesOf(value),
      };
    else fault = { message: `thrown: ${show(value)}`.slice(0, 2_000), places: [] };
    return stringify({ printed: parts.join("\n"), value: shown, isCut, outputs, fault });
  }
  return { provide, collect };
};
