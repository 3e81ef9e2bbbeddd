import type { ConnectionWire, ConnectorField, ConnectorWire } from "@carrel/contracts";
import type { ConnectionDraft } from "../api/connection-actions.ts";

/** What is typed into a field; lines are one text. */
export type FieldValue = string | boolean;
export type FieldValues = Record<string, FieldValue>;

/** The fields of a source as a person fills them in. */
export interface Draft {
  name: string;
  settings: FieldValues;
  credential: FieldValues;
  /** Whether documents are only for people who may see them at the source. */
  mirrorPermissions: boolean;
  /** Whether the source's account names are usernames here. */
  matchAccounts: boolean;
}

export type FieldFault = "required" | "number" | "tooSmall" | "tooLarge" | "refused";

function show(field: ConnectorField, value: unknown): FieldValue {
  if (field.kind === "switch") return value === true;
  if (Array.isArray(value)) return value.join("\n");
  if (typeof value === "string" || typeof value === "number") return String(value);
  return field.kind === "choice" ? (field.options?.[0]?.value ?? "") : "";
}

const valuesOf = (
  fields: readonly ConnectorField[],
  saved: Readonly<Record<string, unknown>> | null,
): FieldValues =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      show(field, saved === null ? field.default : saved[field.name]),
    ]),
  );

/** The form as it opens. A saved credential is never known. */
export const startDraft = (connector: ConnectorWire, saved: ConnectionWire | null): Draft => ({
  name: saved?.name ?? "",
  settings: valuesOf(connector.fields, saved?.settings ?? null),
  credential: valuesOf(connector.credentialFields, null),
  mirrorPermissions: saved?.mirrorPermissions ?? connector.abilities.permissions,
  matchAccounts: saved?.matchAccounts ?? false,
});

/** undefined: nothing was entered, so the source's default applies. */
function read(field: ConnectorField, value: FieldValue | undefined): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (field.kind === "lines")
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  if (text === "") return undefined;
  // A token may begin or end with a space.
  return field.kind === "number" ? Number(text) : field.kind === "secret" ? value : text;
}

const readAll = (fields: readonly ConnectorField[], values: FieldValues): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map((field) => [field.name, read(field, values[field.name])] as const)
      .filter(([, value]) => value !== undefined),
  );

/** Settings as they are saved, with what the form doesn't show left as it is. */
export const readSettings = (
  { fields }: ConnectorWire,
  { settings }: Draft,
  saved: ConnectionWire | null,
): Record<string, unknown> => {
  const shown = new Set(fields.map(({ name }) => name));
  const hidden = Object.entries(saved?.settings ?? {}).filter(([name]) => !shown.has(name));
  return { ...Object.fromEntries(hidden), ...readAll(fields, settings) };
};

/** undefined if nothing was entered. */
export function readCredential(
  { credentialFields }: ConnectorWire,
  { credential }: Draft,
): Record<string, string> | undefined {
  const entries = Object.entries(readAll(credentialFields, credential)).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function faultOf(field: ConnectorField, value: FieldValue | undefined): FieldFault | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  if (text === "") return field.required ? "required" : null;
  if (field.kind !== "number") return null;
  const number = Number(text);
  if (!Number.isFinite(number)) return "number";
  if (field.min !== undefined && number < field.min) return "tooSmall";
  return field.max !== undefined && number > field.max ? "tooLarge" : null;
}

/** What is wrong, by the field's name; the server checks the rest. */
export const findFaults = (
  fields: readonly ConnectorField[],
  values: FieldValues,
): Record<string, FieldFault> =>
  Object.fromEntries(
    fields
      .map((field) => [field.name, faultOf(field, values[field.name])] as const)
      .filter((entry): entry is [string, FieldFault] => entry[1] !== null),
  );

/** Whether a source can be asked who may see its items, or was when it was saved. */
export const tellsReaders = ({ abilities }: ConnectorWire, saved: ConnectionWire | null): boolean =>
  abilities.permissions || (saved?.mirrorPermissions ?? false);

/** What was chosen about who may see its documents, as far as it isn't saved. */
export function readPermissions(
  connector: ConnectorWire,
  { mirrorPermissions, matchAccounts }: Draft,
  saved: ConnectionWire | null,
): Partial<Pick<ConnectionWire, "mirrorPermissions" | "matchAccounts">> {
  if (!tellsReaders(connector, saved)) return {};
  return {
    ...(mirrorPermissions !== saved?.mirrorPermissions && { mirrorPermissions }),
    ...(matchAccounts !== (saved?.matchAccounts ?? false) && { matchAccounts }),
  };
}

/** Whether a preview of `a` tells what one of `b` would. */
export const isSamePreview = (a: Draft, b: Draft): boolean =>
  a.settings === b.settings && a.credential === b.credential && a.matchAccounts === b.matchAccounts;

const originOf = (value: unknown): string => {
  if (typeof value !== "string") return "";
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  return URL.canParse(address) ? new URL(address).host : value;
};

/** Whether the address leads to another server than the saved one, whose credential stays there. */
export const isOtherServer = (
  { fields }: ConnectorWire,
  { settings }: Draft,
  saved: ConnectionWire,
): boolean =>
  fields.some(
    ({ kind, name }) =>
      kind === "address" && originOf(settings[name]) !== originOf(saved.settings[name]),
  );

/** A source's address, to tell several of a kind apart; null if it has none. */
export function addressOfSource(
  connector: ConnectorWire | undefined,
  settings: Readonly<Record<string, unknown>>,
): string | null {
  const field = connector?.fields.find(({ kind }) => kind === "address")?.name;
  const value = settings[field ?? (connector?.id === "folder" ? "path" : "")];
  return typeof value === "string" && value !== "" ? value : null;
}

/** What a check, a preview or a list of choices is asked with. */
export function buildDraft(
  connector: ConnectorWire,
  draft: Draft,
  saved: ConnectionWire | null,
): ConnectionDraft {
  const credential = readCredential(connector, draft);
  return {
    connector: connector.id,
    settings: readSettings(connector, draft, saved),
    ...(credential && { credential }),
    ...(saved && { connectionId: saved.id }),
  };
}
