// Runs inside the sandbox, before a plugin: the globals of Node and browsers that plugins use, its
// modules, and the call of its handler. `call`, `compile`, `send` and `link` are all there is of the
// host;
// they take and return nothing but texts and bytes.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
(call, compile, send, link, programJson) => {
  const { stringify, parse } = JSON;
  const { freeze, keys, defineProperty } = Object;
  const program = parse(programJson);

  // Answers of the host, by the numbers of the requests.
  const waiting = new Map();
  let last = 0;
  function request(kind, text, bytes) {
    const id = ++last;
    const promise = new Promise((resolve, reject) => {
      send(kind, id, text, bytes);
      waiting.set(id, { resolve, reject });
    });
    return { id, promise };
  }
  function abort(id) {
    waiting.delete(id);
    send("abort", id, "");
  }
  const timers = new Map();
  function deliver(id, ok, json) {
    const timer = timers.get(id);
    if (timer !== undefined) return timer();
    const asked = waiting.get(id);
    waiting.delete(id);
    if (asked === undefined) return undefined;
    if (!ok) return asked.reject(new TypeError(json));
    return asked.resolve(json === "" ? undefined : { id, ...parse(json) });
  }

  const longestShown = 2_000;
  /** A value in a few lines, whatever it is. */
  function inspect(value) {
    try {
      if (typeof value === "string") return value;
      if (value instanceof Error) return String(value.stack ? `${value}\n${value.stack}` : value);
      if (typeof value === "function") return `[function ${value.name}]`;
      const seen = [];
      const json = stringify(value, function replace(_, inner) {
        if (typeof inner === "bigint" || typeof inner === "symbol") return String(inner);
        if (typeof inner !== "object" || inner === null) return inner;
        while (seen.length > 0 && seen[seen.length - 1] !== this) seen.pop();
        if (seen.includes(inner)) return "[circular]";
        seen.push(inner);
        if (inner instanceof Map) return [...inner];
        return inner instanceof Set ? [...inner] : inner;
      });
      return json ?? String(value);
    } catch {
      return "[unreadable]";
    }
  }
  function format(first, ...rest) {
    let at = 0;
    const text =
      typeof first === "string"
        ? first.replace(/%[sdifjoO%]/g, (mark) => {
            if (mark === "%%") return "%";
            if (at >= rest.length) return mark;
            const value = rest[at++];
            return mark === "%d" || mark === "%i" || mark === "%f"
              ? String(Number(value))
              : inspect(value);
          })
        : inspect(first);
    return [text, ...rest.slice(at).map(inspect)].join(" ");
  }
  const log = (...values) => send("log", 0, format(...values).slice(0, longestShown));
  const noop = () => undefined;
  const methods = ["log", "info", "warn", "error", "debug", "trace", "dir"];
  const console = freeze({
    ...Object.fromEntries(methods.map((name) => [name, log])),
    ...Object.fromEntries(["time", "timeEnd", "group", "groupEnd"].map((name) => [name, noop])),
    assert: (ok, ...values) => (ok ? undefined : log("Assertion failed:", ...values)),
    table: log,
  });

  function startTimer(callback, milliseconds, given, repeats) {
    if (typeof callback !== "function") throw new TypeError("a timer needs a function");
    const id = ++last;
    timers.set(id, () => {
      if (repeats) send("timer", id, String(milliseconds));
      else timers.delete(id);
      callback(...given);
    });
    send("timer", id, String(milliseconds));
    return id;
  }
  function clearTimer(id) {
    if (typeof id !== "number" || !timers.delete(id)) return;
    send("clear", id, "");
  }
  const setTimeout = (callback, milliseconds = 0, ...given) =>
    startTimer(callback, milliseconds, given, false);
  const setInterval = (callback, milliseconds = 0, ...given) =>
    startTimer(callback, milliseconds, given, true);
  const setImmediate = (callback, ...given) => startTimer(callback, 0, given, false);
  const queueMicrotask = (callback) => void Promise.resolve().then(() => callback());

  const bytesOf = (value) =>
    value instanceof ArrayBuffer
      ? value
      : value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
  class TextEncoder {
    encoding = "utf-8";
    encode(text = "") {
      return new Uint8Array(call("encode", String(text)));
    }
  }
  /** How many bytes at the end are the start of a character. */
  function countIncomplete(bytes) {
    for (let n = 1; n <= Math.min(3, bytes.length); n++) {
      const byte = bytes[bytes.length - n];
      if ((byte & 0xc0) === 0x80) continue;
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > n ? n : 0;
    }
    return 0;
  }
  class TextDecoder {
    #isFatal;
    #rest = new Uint8Array(0);
    constructor(label = "utf-8", { fatal = false } = {}) {
      this.encoding = String(label).toLowerCase();
      this.#isFatal = fatal ? "1" : "";
    }
    decode(given = new ArrayBuffer(0), { stream = false } = {}) {
      const bytes = new Uint8Array(this.#rest.length + given.byteLength);
      bytes.set(this.#rest);
      bytes.set(new Uint8Array(bytesOf(given)), this.#rest.length);
      const isUtf8 = this.encoding === "utf-8" || this.encoding === "utf8";
      const end = bytes.length - (stream && isUtf8 ? countIncomplete(bytes) : 0);
      this.#rest = bytes.slice(end);
      return call("decode", bytes.slice(0, end).buffer, this.encoding, this.#isFatal);
    }
  }
  const latin1 = (text) => {
    const bytes = new Uint8Array(text.length);
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (code > 255) throw new TypeError("btoa takes characters up to 255 only");
      bytes[n] = code;
    }
    return bytes.buffer;
  };
  const btoa = (text) => call("toBase64", latin1(String(text)));
  const atob = (text) => call("decode", call("fromBase64", String(text)), "latin1", "");

  function structuredClone(value, seen = new Map()) {
    if (typeof value === "function" || typeof value === "symbol")
      throw new TypeError("functions and symbols can't be cloned");
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (copy) => (seen.set(value, copy), copy);
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (ArrayBuffer.isView(value)) return keep(new value.constructor(bytesOf(value)));
    if (value instanceof Error) return keep(new Error(value.message));
    if (value instanceof Map) {
      const copy = keep(new Map());
      for (const [key, inner] of value)
        copy.set(structuredClone(key, seen), structuredClone(inner, seen));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      for (const inner of value) copy.add(structuredClone(inner, seen));
      return copy;
    }
    const copy = keep(Array.isArray(value) ? [] : {});
    for (const key of keys(value))
      defineProperty(copy, key, {
        value: structuredClone(value[key], seen),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    return copy;
  }

  const crypto = freeze({
    randomUUID: () => call("uuid"),
    getRandomValues(view) {
      const random = new Uint8Array(call("random", String(view.byteLength)));
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(random);
      return view;
    },
  });
  const start = Date.now();
  const performance = freeze({ now: () => Date.now() - start });

  const library = (name, given) => compile(`carrel:${name}`, call("library", name))(given);
  const url = library("url", { call });
  const bodies = library("bodies", { call, bytesOf, TextDecoder });
  const tools = { call, request, abort, bytesOf, setTimeout, url, bodies };
  const web = { ...url, ...library("web", tools) };
  const { open, require } = library("modules", {
    call,
    compile,
    library,
    link,
    parse,
    console,
    crypto,
    format,
    inspect,
    structuredClone,
    timers: { setTimeout, setInterval, setImmediate, clearTimer, queueMicrotask },
    text: { TextEncoder, TextDecoder },
    web,
  });

  const globals = {
    ...web,
    ...library("intl", { call }),
    console,
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
    clearImmediate: clearTimer,
    queueMicrotask,
    TextEncoder,
    TextDecoder,
    atob,
    btoa,
    structuredClone,
    crypto,
    performance,
    global: globalThis,
  };
  for (const name of keys(globals))
    defineProperty(globalThis, name, {
      value: globals[name],
      configurable: true,
      enumerable: false,
      writable: true,
    });
  // A large package, which few plugins use.
  defineProperty(globalThis, "Buffer", {
    get: () => require("buffer").Buffer,
    set: (value) => defineProperty(globalThis, "Buffer", { value, writable: true }),
    configurable: true,
  });

  const store = async (action, key, value) => {
    const { promise } = request("storage", stringify({ action, key, value }));
    return (await promise).value;
  };
  const storage = freeze({
    async get(key) {
      const json = await store("get", String(key));
      return json === null ? undefined : parse(json);
    },
    set: (key, value) => store("set", String(key), stringify(value) ?? "null"),
    delete: (key) => store("delete", String(key)),
    keys: () => store("keys"),
  });

  /** What Node and browsers have, and plugins here don't. */
  const denied =
    /\b(process|WebSocket|EventSource|XMLHttpRequest|WebAssembly|Worker|SharedWorker|MessageChannel|BroadcastChannel|CompressionStream|DecompressionStream|TextEncoderStream|localStorage|sessionStorage|indexedDB|navigator|window|document|Deno|Bun)\b.* is not defined$/;
  function explain({ name, message }) {
    const found = name === "ReferenceError" ? denied.exec(String(message)) : null;
    if (found === null) return message;
    const hint = found[1] === "process" ? " Settings belong into setup_args." : "";
    return `This plugin needs ${found[1]}, which plugins can't use in Carrel.${hint}`;
  }
  /** What went wrong, in one text; a thrown value may be anything. */
  function describe(fault) {
    try {
      const isObject = typeof fault === "object" && fault !== null;
      const message = isObject ? explain(fault) : fault;
      const name = isObject && typeof fault.name === "string" ? `${fault.name}: ` : "";
      const stack = isObject ? fault.stack : "";
      if (typeof stack === "string" && stack !== "") log(stack);
      return `${name}${typeof message === "string" ? message : inspect(message)}`.slice(0, 2_000);
    } catch {
      return "It threw something unreadable.";
    }
  }

  /** The text of a web page, as far as patterns tell. */
  function textOfPage(html) {
    const names = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
    return html
      .replace(/<(script|style|noscript|template|head)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, " ")
      .replace(/<\/?(p|div|br|li|h[1-6]|tr|section|article|ul|ol|table)\b[^>]*>/gi, "\n")
      .replace(/<[^>]*>/g, " ")
      .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name) => names[name])
      .replace(/&#(\d{1,7});/g, (mark, code) =>
        Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : mark,
      )
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n\s*/g, "\n")
      .trim();
  }
  const webScraper = freeze({
    async getLinkContent(address) {
      try {
        const reply = await web.fetch(String(address));
        if (!reply.ok) throw new Error(`The server answered with ${reply.status}.`);
        const text = await reply.text();
        const isPage = /html/i.test(reply.headers.get("content-type") ?? "html");
        return { success: true, content: isPage ? textOfPage(text) : text };
      } catch (fault) {
        log(fault.message);
        return { success: false, content: null, reason: fault.message };
      }
    },
  });

  async function run() {
    const { entry, config, runtimeArgs, input } = program;
    const exported = await open(entry);
    const runtime = exported?.runtime ?? exported?.default?.runtime;
    if (typeof runtime?.handler !== "function")
      throw new TypeError(`${entry} has to set module.exports.runtime.handler to a function.`);
    const self = {
      name: config.hubId,
      description: config.description,
      examples: config.examples,
      parameters: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: config.entrypoint.params,
        additionalProperties: false,
      },
      runtime: "docker",
      config,
      runtimeArgs,
      introspect: (text) => send("shown", 0, inspect(text).slice(0, longestShown)),
      logger: log,
      storage,
      webScraper,
      ...runtime,
    };
    if (!Object.hasOwn(self, "super"))
      defineProperty(self, "super", {
        get() {
          throw new Error("This plugin needs this.super, which plugins can't use in Carrel.");
        },
      });
    const value = await runtime.handler.call(self, input);
    const text = typeof value === "string" ? value : (stringify(value) ?? "");
    return text.slice(0, program.longestResult);
  }
  run().then(
    (text) => send("done", 0, text),
    (fault) => send("failed", 0, describe(fault)),
  );
  return deliver;
};
