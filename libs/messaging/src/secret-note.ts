import type { RedisConnections } from "./redis-connections.ts";

/**
 * The fingerprint of the instance secret, for the gateway, which doesn't use PostgreSQL. Services
 * write it once PostgreSQL has confirmed it.
 */
export const secretNoteKey = "carrel:secret";
/** How long a process that starts waits for Redis. */
const waitMs = 5_000;

export async function noteSecret(
  { commands }: RedisConnections,
  fingerprint: string,
): Promise<void> {
  await commands.set(secretNoteKey, fingerprint);
}

/** Null if there is none, or if Redis can't be reached now. */
export async function readSecretNote({ commands }: RedisConnections): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), waitMs);
  });
  return Promise.race([commands.get(secretNoteKey), late]).finally(() => clearTimeout(timer));
}
