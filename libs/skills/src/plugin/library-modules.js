// Runs inside the sandbox: `require` and `import` for a plugin's own files and packages, and the few
// modules of Node that plugins may use.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({
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
  timers,
  text,
  web,
}) => {
  const { TextEncoder, TextDecoder } = text;

  const decodePart = (part) => {
    try {
      return decodeURIComponent(part.replace(/\+/g, " "));
    } catch {
      return part;
    }
  };
  const querystring = () => ({
    escape: encodeURIComponent,
    unescape: decodePart,
    parse(query, separator = "&", equals = "=") {
      const found = {};
      for (const part of String(query).split(separator)) {
        if (part === "") continue;
        const at = part.indexOf(equals);
        const name = decodePart(at < 0 ? part : part.slice(0, at));
        const value = at < 0 ? "" : decodePart(part.slice(at + equals.length));
        if (name === "__proto__") continue;
        found[name] = Object.hasOwn(found, name) ? [found[name], value].flat() : value;
      }
      return found;
    },
    stringify: (given, separator = "&", equals = "=") =>
      Object.entries(Object(given))
        .flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
        .map((pair) => pair.map((each) => encodeURIComponent(String(each ?? ""))).join(equals))
        .join(separator),
  });

  const promisify =
    (work) =>
    (...given) =>
      new Promise((resolve, reject) => {
        work(...given, (fault, value) => (fault ? reject(fault) : resolve(value)));
      });
  const util = () => ({
    format,
    inspect,
    promisify,
    deprecate: (work) => work,
    inherits(child, parent) {
      Object.setPrototypeOf(child.prototype, parent.prototype);
      child.super_ = parent;
    },
    isDeepStrictEqual: (a, b) => inspect(a) === inspect(b),
    types: {
      isDate: (value) => value instanceof Date,
      isRegExp: (value) => value instanceof RegExp,
    },
    TextEncoder,
    TextDecoder,
    structuredClone,
  });

  const toBytes = (value) =>
    typeof value === "string"
      ? call("encode", value)
      : value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
  function startDigest(algorithm, key) {
    const { Buffer } = require("buffer");
    const parts = [];
    const digest = {
      update(part, encoding) {
        parts.push(
          Buffer.from(
            typeof part === "string" && encoding ? Buffer.from(part, encoding) : toBytes(part),
          ),
        );
        return digest;
      },
      digest(encoding) {
        const sum = Buffer.from(call("digest", algorithm, key, toBytes(Buffer.concat(parts))));
        return encoding === undefined ? sum : sum.toString(encoding);
      },
    };
    return digest;
  }
  const cryptoModule = () => ({
    ...crypto,
    webcrypto: crypto,
    randomBytes: (count) => require("buffer").Buffer.from(call("random", String(count))),
    createHash: (algorithm) => startDigest(String(algorithm), ""),
    createHmac: (algorithm, key) => startDigest(String(algorithm), toBytes(key)),
  });

  const { setTimeout, setInterval, setImmediate, clearTimer, queueMicrotask } = timers;
  const unusable = (name, hint = "") =>
    new Error(`This plugin needs ${name}, which plugins can't use in Carrel.${hint}`);
  const http = () =>
    library("http", {
      ...web,
      EventEmitter: require("events"),
      Buffer: require("buffer").Buffer,
      setTimeout,
      clearTimer,
    });
  const timerModule = () => ({
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
    clearImmediate: clearTimer,
    queueMicrotask,
  });
  const timerPromises = () => ({
    setTimeout: (milliseconds, value) =>
      new Promise((resolve) => {
        setTimeout(() => resolve(value), milliseconds);
      }),
  });
  const own = {
    querystring,
    util,
    crypto: cryptoModule,
    console: () => console,
    timers: timerModule,
    "timers/promises": timerPromises,
    zlib: () => library("zlib", { call, toBytes, unusable, Buffer: require("buffer").Buffer }),
    http: () => http()("http:"),
    https: () => http()("https:"),
    url: () => ({
      URL: web.URL,
      URLSearchParams: web.URLSearchParams,
      fileURLToPath: (address) => decodeURIComponent(new web.URL(address).pathname),
    }),
  };
  /** Packages of ours that stand for modules of Node, with what they need themselves. */
  const bundled = new Set(["buffer", "base64-js", "ieee754", "events", "path"]);
  /** What Node has besides; plugins can't reach what these do. */
  const denied = new Set(
    "assert async_hooks child_process cluster constants dgram diagnostics_channel dns domain fs http2 inspector module net os perf_hooks process punycode readline repl sea sqlite stream string_decoder sys test tls trace_events tty v8 vm wasi worker_threads".split(
      " ",
    ),
  );

  const cache = new Map();
  const asFunction = (code) =>
    `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
  function evaluate(key, name, code, ownRequire, folder) {
    const module = { exports: {}, id: name, filename: name, loaded: false, children: [] };
    cache.set(key, module);
    try {
      compile(name, asFunction(code)).call(
        module.exports,
        module.exports,
        ownRequire,
        module,
        name,
        folder,
      );
    } catch (fault) {
      cache.delete(key);
      throw fault;
    }
    module.loaded = true;
    return module.exports;
  }

  function loadBuiltIn(name) {
    const key = `node:${name}`;
    const known = cache.get(key);
    if (known !== undefined) return known.exports;
    if (Object.hasOwn(own, name)) {
      const module = { exports: own[name]() };
      cache.set(key, module);
      return module.exports;
    }
    const exports = evaluate(key, key, call("package", name), require, "/");
    if (name === "buffer") addBase64Url(exports.Buffer);
    return exports;
  }

  /** The package has all encodings of Node but this one. */
  function addBase64Url(Buffer) {
    const { from } = Buffer;
    const { toString } = Buffer.prototype;
    Buffer.from = (value, encoding, ...rest) =>
      encoding === "base64url"
        ? from(value.replace(/-/g, "+").replace(/_/g, "/"), "base64")
        : from(value, encoding, ...rest);
    Buffer.prototype.toString = function write(encoding, ...range) {
      if (encoding !== "base64url") return toString.call(this, encoding, ...range);
      const text = toString.call(this, "base64", ...range);
      return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    };
  }

  const has = (path) => call("has", path) !== undefined;
  /** Without `.` and `..`; null if it leads out of the plugin. */
  function join(folder, path) {
    const parts = path.startsWith("/") ? [] : folder.split("/").filter((part) => part !== "");
    for (const part of path.split("/")) {
      if (part === "" || part === ".") continue;
      if (part !== "..") parts.push(part);
      else if (parts.pop() === undefined) return null;
    }
    return parts.join("/");
  }
  const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

  const endings = ["", ".js", ".cjs", ".json"];
  function findFile(path) {
    if (path === null) return null;
    if (path !== "") for (const end of endings) if (has(path + end)) return path + end;
    return findIndex(path);
  }
  function findIndex(folder) {
    const at = folder === "" ? "" : `${folder}/`;
    if (has(`${at}package.json`)) {
      const { main } = readJson(`${at}package.json`);
      const found = typeof main === "string" ? join(folder, main) : null;
      if (found !== null && found !== folder) {
        for (const end of [...endings, "/index.js"]) if (has(found + end)) return found + end;
      }
    }
    return ["index.js", "index.cjs", "index.json"].map((name) => at + name).find(has) ?? null;
  }
  const readJson = (path) => parse(call("file", path).replace(/^\uFEFF/, ""));

  /** What the first condition that holds names; packages for browsers need nothing of Node. */
  function choose(target, way) {
    if (typeof target === "string" || target == null) return target ?? null;
    if (Array.isArray(target))
      return target.map((each) => choose(each, way)).find((each) => each !== null) ?? null;
    for (const [condition, inner] of Object.entries(target))
      if (condition === "browser" || condition === way || condition === "default") {
        const found = choose(inner, way);
        if (found !== null) return found;
      }
    return null;
  }
  function findExport(folder, exported, subpath, way) {
    const isMap =
      typeof exported === "object" &&
      !Array.isArray(exported) &&
      Object.keys(exported).some((key) => key.startsWith("."));
    const map = isMap ? exported : { ".": exported };
    const key = subpath === "" ? "." : `./${subpath}`;
    if (Object.hasOwn(map, key)) {
      const target = choose(map[key], way);
      return target === null ? null : join(folder, target);
    }
    for (const [pattern, target] of Object.entries(map)) {
      const [before, after] = pattern.split("*");
      if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) continue;
      const chosen = choose(target, way);
      const middle = key.slice(before.length, key.length - after.length);
      return chosen === null ? null : join(folder, chosen.replaceAll("*", middle));
    }
    return null;
  }
  function findPackage(folder, name, subpath, way) {
    const at = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (has(`${at}/package.json`)) {
      const { exports } = readJson(`${at}/package.json`);
      if (exports != null) return findExport(at, exports, subpath, way);
    }
    return findFile(subpath === "" ? at : join(at, subpath));
  }

  /** @param way "require" or "import", as conditions of packages name it */
  function resolve(folder, wanted, way) {
    if (/^(\.{1,2}(\/|$)|\/)/.test(wanted)) return findFile(join(folder, wanted));
    const [, name, subpath = ""] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(wanted) ?? [];
    if (name === undefined) return null;
    for (let at = folder; ; at = folderOf(at)) {
      const found = findPackage(at, name, subpath, way);
      if (found !== null && has(found)) return found;
      if (at === "") return null;
    }
  }

  /** The name of a module of Node, or the path of a file. */
  function locate(folder, given, way) {
    const wanted = String(given);
    const plain = wanted.replace(/^node:/, "");
    if (Object.hasOwn(own, plain) || bundled.has(plain)) return { builtIn: plain };
    if (wanted.startsWith("node:") || denied.has(plain.split("/")[0]))
      throw unusable(`the module "${plain}"`);
    const path = resolve(folder, wanted, way);
    if (path === null) throw new Error(`Cannot find module "${wanted}".`);
    return { path };
  }

  function requireFrom(folder) {
    const ownRequire = (wanted) => {
      const { builtIn, path } = locate(folder, wanted, "require");
      return builtIn === undefined ? load(path) : loadBuiltIn(builtIn);
    };
    const toName = ({ builtIn, path }) => builtIn ?? `/${path}`;
    ownRequire.resolve = (wanted) => toName(locate(folder, wanted, "require"));
    return ownRequire;
  }

  function load(path) {
    const known = cache.get(path);
    if (known !== undefined) return known.exports;
    const code = call("file", path);
    if (code === undefined) throw new Error(`Cannot find module "${path}".`);
    if (path.endsWith(".json")) {
      const module = { exports: readJson(path) };
      cache.set(path, module);
      return module.exports;
    }
    if (isModule(path)) return requireModule(path);
    const folder = folderOf(path);
    return evaluate(path, path, code.replace(/^#!/, "//"), requireFrom(folder), `/${folder}`);
  }
  const require = requireFrom("");
  /** As Node does since version 22. */
  function requireModule(path) {
    const code = `import * as all from ${JSON.stringify(`/${path}`)};\nexport { all };`;
    const made = compile("carrel:require", code, "module");
    if (made instanceof Promise)
      throw new Error(`"${path}" has an await at its top level. Load it with import().`);
    return made.all;
  }

  const kinds = new Map();
  /** Whether a file is an ES module, by Node's rules: its ending, its package, then its syntax. */
  function isModule(path) {
    if (!path.endsWith(".js")) return path.endsWith(".mjs");
    if (!kinds.has(path)) kinds.set(path, typeOf(folderOf(path)) ?? hasModuleSyntax(path));
    return kinds.get(path);
  }
  function typeOf(folder) {
    for (let at = folder; ; at = folderOf(at)) {
      const file = at === "" ? "package.json" : `${at}/package.json`;
      if (has(file)) {
        const { type } = readJson(file);
        return type === "module" ? true : type === "commonjs" ? false : null;
      }
      if (at === "") return null;
    }
  }
  function hasModuleSyntax(path) {
    const code = call("file", path).replace(/^#!/, "//");
    if (!/^\s*(import|export)\b/m.test(code)) return false;
    try {
      compile(path, asFunction(code));
      return false;
    } catch {
      return true;
    }
  }

  // The engine asks for what is imported: a path stands for an ES module, a name with the first start
  // for one that passes on what `require` returns, and with the second for why there is none.
  const required = "require:";
  const refused = "refused:";
  const pass = "carrelRequire";
  Object.defineProperty(globalThis, pass, { value: require });
  function resolveImport(base, wanted) {
    try {
      const { builtIn, path } = locate(has(base) ? folderOf(base) : "", wanted, "import");
      if (builtIn !== undefined) return `${required}${builtIn}`;
      return isModule(path) ? path : `${required}/${path}`;
    } catch (fault) {
      return `${refused}${fault.message}`;
    }
  }
  function sourceOf(name) {
    if (name.startsWith(refused)) throw new Error(name.slice(refused.length));
    if (!name.startsWith(required)) return call("file", name).replace(/^#!/, "//");
    const wanted = name.slice(required.length);
    const names = Object.keys(Object(require(wanted))).filter(
      (each) => each !== "default" && /^[A-Za-z_$][\w$]*$/.test(each),
    );
    return [
      `const all = ${pass}(${JSON.stringify(wanted)});\nexport default all;`,
      ...names.map((each, n) => `const v${n} = all.${each};\nexport { v${n} as ${each} };`),
    ].join("\n");
  }
  link(resolveImport, sourceOf);
  const importAt = compile("carrel:import", "(path) => import(path)");

  return { require, open: (path) => (isModule(path) ? importAt(`/${path}`) : load(path)) };
};
