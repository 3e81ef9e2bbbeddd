type Sdk = typeof import("@modelcontextprotocol/client");

let loaded: Promise<Sdk> | undefined;

/** Loaded with the first connection, because every process would pay for it. */
export const loadSdk = (): Promise<Sdk> => (loaded ??= import("@modelcontextprotocol/client"));
