// Runs inside the sandbox: addresses, which the host parses.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ call }) => {
  const { defineProperty } = Object;

  class URLSearchParams {
    #pairs = [];
    #changed = null;
    constructor(given = "", changed = null) {
      this.#changed = changed;
      if (typeof given === "string") this.#pairs = JSON.parse(call("query", given));
      else if (given != null)
        this.#pairs = [...(given[Symbol.iterator] ? given : Object.entries(given))].map(
          ([name, value]) => [String(name), String(value)],
        );
    }
    #set(pairs) {
      this.#pairs = pairs;
      this.#changed?.(this.toString());
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#set([...this.#pairs, [String(name), String(value)]]);
    }
    delete(name) {
      this.#set(this.#pairs.filter(([each]) => each !== String(name)));
    }
    get(name) {
      return this.#pairs.find(([each]) => each === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([each]) => each === String(name)).map(([, value]) => value);
    }
    has(name) {
      return this.#pairs.some(([each]) => each === String(name));
    }
    set(name, value) {
      const at = this.#pairs.findIndex(([each]) => each === String(name));
      if (at < 0) return this.append(name, value);
      const others = this.#pairs.filter(([each], n) => n === at || each !== String(name));
      others[others.findIndex(([each]) => each === String(name))] = [String(name), String(value)];
      return this.#set(others);
    }
    sort() {
      this.#set([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    }
    forEach(callback) {
      for (const [name, value] of this.#pairs) callback(value, name, this);
    }
    entries() {
      return this.#pairs.map((pair) => [...pair]).values();
    }
    keys() {
      return this.#pairs.map(([name]) => name).values();
    }
    values() {
      return this.#pairs.map(([, value]) => value).values();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return call("formatQuery", JSON.stringify(this.#pairs));
    }
  }

  class URL {
    #parts;
    #params = null;
    constructor(address, base) {
      const parts =
        base === undefined
          ? call("url", String(address))
          : call("url", String(address), String(base));
      if (parts === undefined) throw new TypeError(`Invalid URL: ${String(address).slice(0, 200)}`);
      this.#parts = JSON.parse(parts);
    }
    static canParse(address, base) {
      return URL.parse(address, base) !== null;
    }
    static parse(address, base) {
      try {
        return new URL(address, base);
      } catch {
        return null;
      }
    }
    static {
      for (const name of [
        "href",
        "protocol",
        "username",
        "password",
        "host",
        "hostname",
        "port",
        "pathname",
        "search",
        "hash",
      ])
        defineProperty(URL.prototype, name, {
          get() {
            return this.#parts[name];
          },
          set(value) {
            this.#parts = JSON.parse(call("setUrl", this.#parts.href, name, String(value)));
            if (name === "href" || name === "search") this.#params = null;
          },
          configurable: true,
          enumerable: true,
        });
    }
    get origin() {
      return this.#parts.origin;
    }
    get searchParams() {
      this.#params ??= new URLSearchParams(this.#parts.search, (query) => {
        this.#parts = JSON.parse(call("setUrl", this.#parts.href, "search", query));
      });
      return this.#params;
    }
    toString() {
      return this.#parts.href;
    }
    toJSON() {
      return this.#parts.href;
    }
  }

  return { URL, URLSearchParams };
};
