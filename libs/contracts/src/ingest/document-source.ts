/** External systems whose items can be fetched again (wire-contract 6.6). */
const connectors = ["youtube", "confluence", "github", "gitlab", "gitea", "drupalwiki"] as const;

/** Where a document comes from. */
export type DocumentSource =
  | { kind: "upload" }
  | { kind: "link"; url: string }
  | { kind: "connector"; connector: (typeof connectors)[number]; reference: string };

/**
 * Parses the wire's `chunkSource`: `<connector>://<reference>`, `link://<url>`, or arbitrary text
 * from an uploader's metadata.
 */
export function readChunkSource(chunkSource: string): DocumentSource {
  const [, scheme, rest = ""] = /^([a-z]+):\/\/(.*)$/s.exec(chunkSource) ?? [];
  if (scheme === "link") return { kind: "link", url: rest };
  const connector = connectors.find((name) => name === scheme);
  return connector ? { kind: "connector", connector, reference: rest } : { kind: "upload" };
}

/** Returns the `chunkSource` of a document that was not uploaded. */
export const writeChunkSource = (source: Exclude<DocumentSource, { kind: "upload" }>): string =>
  source.kind === "link" ? `link://${source.url}` : `${source.connector}://${source.reference}`;
