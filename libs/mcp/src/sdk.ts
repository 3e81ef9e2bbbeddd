type Sdk = typeof import("@modelcontextprotocol/client");

let loaded: Promise<Sdk> | undefined;

/** Loaded with the first connection, because every process would pay for it. */
export const loadSdk = (): Promise<Sdk> => (loaded ??= import("@modelcontextprotocol/client"));

/** Versions of the protocol that a server may speak, newest first. */
export const protocolVersions = [
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;
