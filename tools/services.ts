/**
 * Carrel's services, callees before callers: the order in which they are started and upgraded; they
 * stop in reverse. A new one is a folder in `services` and an entry here; `services.spec.ts` names
 * the files that build and run it, where it is missing.
 */
export const services = [
  "auth",
  "workspace",
  "ingest",
  "connectors",
  "sync-worker",
  "chat",
] as const;

/**
 * All processes and their images: the services, and the gateway, which has no database and calls
 * them all.
 */
export const processes = [...services, "gateway"] as const;
