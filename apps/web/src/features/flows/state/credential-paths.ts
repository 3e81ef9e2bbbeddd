import type { CredentialWire } from "@carrel/contracts";
import type { Suggestion } from "./paths.ts";

/** The unfinished `{{…` that ends at the caret. */
export function openCredential(before: string): { start: number; typed: string } | null {
  const match = /\{\{([\w.-]*)$/.exec(before);
  return match && { start: match.index, typed: match[1] ?? "" };
}

/** What it can go on to: credentials with the hosts that they may be sent to. */
export const suggestCredentials = (
  typed: string,
  credentials: readonly CredentialWire[],
): Suggestion[] =>
  credentials
    .map(({ name, hosts }) => ({
      path: `credential.${name}`,
      type: null,
      maybe: false,
      preview: hosts.join(", "),
      into: null,
    }))
    .filter(({ path }) => path.toLowerCase().includes(typed.toLowerCase()));
