/*
 * References to credentials in agent flows (docs/decisions/flows.md): `{{credential.NAME}}`.
 */

export const credentialNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Global: to be used with `replace` and `matchAll` only. */
export const credentialReference = /\{\{credential\.([A-Za-z][A-Za-z0-9_-]{0,63})\}\}/g;

/** How a flow refers to a credential. */
export const referTo = (name: string): string => `{{credential.${name}}}`;

/** The names of the credentials that a text refers to, each once. */
export const listCredentialNames = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(credentialReference), (match) => match[1]!)),
];
