import { createHash } from "node:crypto";

/** Reserved for Carrel itself. */
const systemCommands: ReadonlySet<string> = new Set(["/reset", "/img", "/exit"]);
export const isSystemCommand = (command: string): boolean => systemCommands.has(command);

/**
 * Normalizes a command (wire-contract 2.6): lower case, one leading slash, hyphens for other
 * characters. If less than two characters were sent, generates eight from `seed`, the request's
 * idempotency key, so that a redelivery generates the same command.
 */
export function normalizeCommand(sent: string, seed: string): string {
  const command = sent.trim().toLowerCase();
  if (command.length < 2) return `/${createHash("sha256").update(seed).digest("hex").slice(0, 8)}`;
  return `/${(command.startsWith("/") ? command.slice(1) : command).replace(/[^a-z0-9_-]/g, "-")}`;
}
