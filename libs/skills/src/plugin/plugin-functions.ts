// What plugins use of the host at once: pure functions on texts and bytes. Imported by the worker
// thread, whose types Node itself strips: only erasable syntax.
import { createHash, createHmac, randomFillSync, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
} from "node:zlib";

const locate = createRequire(import.meta.url);
const besideBuffer = createRequire(locate.resolve("buffer/index.js"));
/** Packages that plugins can require; each is read when it is needed. */
const packages: Readonly<Record<string, string>> = {
  buffer: locate.resolve("buffer/index.js"),
  "base64-js": besideBuffer.resolve("base64-js"),
  ieee754: besideBuffer.resolve("ieee754"),
  events: locate.resolve("events/events.js"),
  path: locate.resolve("path-browserify/index.js"),
};
const digests: ReadonlySet<string> = new Set(["md5", "sha1", "sha256", "sha384", "sha512"]);
const libraries: ReadonlySet<string> = new Set([
  "bodies",
  "http",
  "intl",
  "modules",
  "url",
  "web",
  "zlib",
]);
export const readLibrary = (name: string): string =>
  readFileSync(new URL(`./library-${name}.js`, import.meta.url), "utf8");

/** What compressed bytes may become. */
const unzipped = { maxOutputLength: 20_000_000 };
const zips: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gzipSync(bytes, unzipped),
  gunzip: (bytes) => gunzipSync(bytes, unzipped),
  deflate: (bytes) => deflateSync(bytes, unzipped),
  inflate: (bytes) => inflateSync(bytes, unzipped),
  deflateRaw: (bytes) => deflateRawSync(bytes, unzipped),
  inflateRaw: (bytes) => inflateRawSync(bytes, unzipped),
  unzip: (bytes) => unzipSync(bytes, unzipped),
  // The best compression takes minutes.
  brotliCompress: (bytes) =>
    brotliCompressSync(bytes, { ...unzipped, params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  brotliDecompress: (bytes) => brotliDecompressSync(bytes, unzipped),
};
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const describeUrl = (url: URL | null): string | undefined =>
  url === null
    ? undefined
    : JSON.stringify({
        href: url.href,
        origin: url.origin,
        protocol: url.protocol,
        username: url.username,
        password: url.password,
        host: url.host,
        hostname: url.hostname,
        port: url.port,
        pathname: url.pathname,
        search: url.search,
        hash: url.hash,
      });

type Formatter = Record<string, (...given: unknown[]) => unknown>;
type Options = Record<string, string>;
const dates = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"];
/** Texts of numbers and dates: how each is made, and what it can be asked. */
const formatters: Readonly<
  Record<
    string,
    {
      make(locale: string | undefined, options: Options | undefined): object;
      methods: readonly string[];
    }
  >
> = {
  NumberFormat: {
    make: (locale, options) => new Intl.NumberFormat(locale, options),
    methods: ["format", "formatToParts", "resolvedOptions"],
  },
  DateTimeFormat: {
    make: (locale, options) => new Intl.DateTimeFormat(locale, options),
    methods: ["format", "formatToParts", "resolvedOptions"],
  },
  RelativeTimeFormat: {
    make: (locale, options) => new Intl.RelativeTimeFormat(locale, options),
    methods: ["format", "resolvedOptions"],
  },
  PluralRules: {
    make: (locale, options) => new Intl.PluralRules(locale, options),
    methods: ["select", "resolvedOptions"],
  },
  ListFormat: {
    make: (locale, options) => new Intl.ListFormat(locale, options),
    methods: ["format", "resolvedOptions"],
  },
};
function formatIntl(json: string): unknown {
  const [kind, method, locale, options, ...values] = JSON.parse(json) as [
    string,
    string,
    string | null,
    Options | null,
    ...unknown[],
  ];
  if (kind === "Date" && dates.includes(method))
    return (new Date(values[0] as number) as unknown as Formatter)[method]!(
      locale ?? undefined,
      options ?? undefined,
    );
  if (!Object.hasOwn(formatters, kind) || !formatters[kind]!.methods.includes(method))
    throw new Error("this format isn't available");
  const formatter = formatters[kind]!.make(locale ?? undefined, options ?? undefined) as Formatter;
  return formatter[method]!(...values);
}

type HostFunction = (...given: (string | Uint8Array)[]) => unknown;
/** @param bodies of replies, by the number of their request; each is read once */
export const createHostFunctions = (
  files: ReadonlyMap<string, Uint8Array>,
  bodies: Map<number, Uint8Array>,
): Readonly<Record<string, HostFunction>> => ({
  file: (path) => (files.has(String(path)) ? decode(files.get(String(path))!) : undefined),
  package: (name) =>
    Object.hasOwn(packages, String(name))
      ? readFileSync(packages[String(name)]!, "utf8")
      : undefined,
  has: (path) => (files.has(String(path)) ? "1" : undefined),
  library: (name) => (libraries.has(String(name)) ? readLibrary(String(name)) : undefined),
  url: (text, base) =>
    describeUrl(URL.parse(String(text), base === undefined ? undefined : String(base))),
  setUrl(text, part, value) {
    const url = new URL(String(text));
    const parts = [
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
    ];
    if (parts.includes(String(part)))
      (url as unknown as Record<string, string>)[String(part)] = String(value);
    return describeUrl(url);
  },
  query: (text) => JSON.stringify([...new URLSearchParams(String(text))]),
  formatQuery: (json) =>
    new URLSearchParams(JSON.parse(String(json)) as [string, string][]).toString(),
  encode: (text) => new TextEncoder().encode(String(text)),
  decode: (bytes, label, isFatal) =>
    new TextDecoder(String(label), { fatal: isFatal === "1" }).decode(bytes as Uint8Array),
  fromBase64: (text) => Uint8Array.from(Buffer.from(String(text), "base64")),
  toBase64: (bytes) => Buffer.from(bytes as Uint8Array).toString("base64"),
  random: (count) => randomFillSync(new Uint8Array(Math.min(65_536, Number(count) || 0))),
  uuid: () => randomUUID(),
  digest(algorithm, key, bytes) {
    const name = String(algorithm).toLowerCase().replace("-", "");
    if (!digests.has(name)) throw new Error("this digest isn't available");
    const sum = typeof key === "string" ? createHash(name) : createHmac(name, key!);
    return Uint8Array.from(sum.update(bytes as Uint8Array).digest());
  },
  zip(kind, bytes) {
    if (!Object.hasOwn(zips, String(kind))) throw new Error("this form isn't available");
    return Uint8Array.from(zips[String(kind)]!(bytes as Uint8Array));
  },
  intl: (json) => JSON.stringify(formatIntl(String(json))),
  body(id) {
    const bytes = bodies.get(Number(id));
    bodies.delete(Number(id));
    return bytes;
  },
});
