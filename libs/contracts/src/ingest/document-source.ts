/** Where a document comes from. */
export type DocumentSource =
  | { kind: "upload" }
  | { kind: "link"; url: string }
  /** Fetched by a connector; `connector` is the connector's id. */
  | { kind: "connector"; connector: string; reference: string };

/** Schemes of addresses that uploaders may state, which no connector has as its id. */
const addressSchemes = new Set(["http", "https", "ftp", "sftp", "file", "localfile", "data"]);

/** Connectors whose documents existing clients can watch (wire-contract 6.6). */
const watchable = new Set(["youtube", "confluence", "github", "gitlab", "gitea", "drupalwiki"]);

/** Whether a connector's documents can be watched one by one. */
export const isWatchableConnector = (id: string): boolean => id === "link" || watchable.has(id);

/**
 * Whether the source of a document can be fetched again (wire-contract 6.6). Uploads may name any
 * source, which isn't what they were read from.
 */
export function isWatchable(document: {
  chunkSource: string;
  title: string;
  isUpload: boolean;
}): boolean {
  if (document.isUpload) return false;
  const source = readChunkSource(document.chunkSource);
  return source.kind === "connector"
    ? watchable.has(source.connector)
    : source.kind === "link" && document.title.endsWith(".html");
}

/**
 * Parses the wire's `chunkSource`: `<connector>://<reference>`, `link://<url>`, or arbitrary text
 * from an uploader's metadata.
 */
export function readChunkSource(chunkSource: string): DocumentSource {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9-]*):\/\/(.*)$/s.exec(chunkSource) ?? [];
  if (scheme === "link") return { kind: "link", url: rest };
  if (scheme === undefined || addressSchemes.has(scheme)) return { kind: "upload" };
  return { kind: "connector", connector: scheme, reference: rest };
}

/** Returns the `chunkSource` of a document that was not uploaded. */
export const writeChunkSource = (source: Exclude<DocumentSource, { kind: "upload" }>): string =>
  source.kind === "link" ? `link://${source.url}` : `${source.connector}://${source.reference}`;

/** Headings of transcripts are times. */
const time = /^(\d{2,}):([0-5]\d):([0-5]\d)$/;

/**
 * Where a document's source shows it on the web; null if it doesn't. A video opens at the time of
 * the passage, which is its heading.
 */
export function webAddressOf(chunkSource: string, heading?: string): string | null {
  const source = readChunkSource(chunkSource);
  if (source.kind === "upload") return null;
  const text = source.kind === "link" ? source.url : source.reference;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const [, hours, minutes, seconds] = time.exec(heading ?? "") ?? [];
  if (hours === undefined || source.kind === "link" || source.connector !== "youtube") return text;
  const address = new URL(text);
  const at = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  address.searchParams.set("t", `${at}s`);
  return address.href;
}
