import { createHash } from "node:crypto";

/** Commands of Carrel's own. */
const systemCommands: ReadonlySet<string> = new Set(["/reset", "/img", "/exit"]);
export const isSystemCommand = (command: string): boolean => systemCommands.has(command);

/**
 * A command as it is kept (wire-contract 2.6): lower case, one slash before it, other signs as
 * hyphens; empty or one sign
 * becomes eight signs that follow from `seed`, the request's key, so that a second delivery makes
 * the same one.
 */
export function normalizeCommand(sent: string, seed: string): string {
  const command = sent.trim().toLowerCase();
  if (command.length < 2) return `/${createHash("sha256").update(seed).digest("hex").slice(0, 8)}`;
  return `/${(command.startsWith("/") ? command.slice(1) : command).replace(/[^a-z0-9_-]/g, "-")}`;
}
