import {
  providerChoiceKeys,
  type ProviderDeclaration,
  type ProviderField,
} from "@carrel/contracts";

export type Values = Record<string, string>;
export type ProviderKind = ProviderDeclaration["kind"];

/**
 * What a form begins with: saved values, else the field's default. A saved secret begins empty; it
 * is never sent back.
 */
export function initialValues(
  provider: ProviderDeclaration,
  saved: Record<string, unknown>,
): Values {
  return Object.fromEntries(
    provider.fields.map((field) => {
      const value = saved[field.key];
      const known =
        field.kind !== "secret" &&
        (typeof value === "string" || typeof value === "number") &&
        value !== "";
      return [
        field.key,
        known ? String(value) : field.kind === "secret" ? "" : String(field.default ?? ""),
      ];
    }),
  );
}

/** Whether the instance holds a secret under this key (it tells only that). */
export const isSaved = (field: ProviderField, saved: Record<string, unknown>): boolean =>
  field.kind === "secret" && saved[field.key] === true;

export type Fault = "missing" | "number" | "tooSmall" | "url" | "mask";
/** The first thing wrong with a field, null when it is fine. */
export function faultOf(
  field: ProviderField,
  value: string,
  saved: Record<string, unknown>,
): Fault | null {
  const text = value.trim();
  if (text === "") return field.required && !isSaved(field, saved) ? "missing" : null;
  if (field.kind === "secret" && text.includes("******")) return "mask";
  if (field.kind === "number") {
    const number = Number(text);
    if (!Number.isFinite(number)) return "number";
    if (field.min !== undefined && number < field.min) return "tooSmall";
  }
  if (field.kind === "url" && !/^https?:\/\/\S+$/i.test(text)) return "url";
  return null;
}

/**
 * What saving sends: fields that differ from what is saved, then the choice of the provider, so
 * that a refused field chooses nothing.
 */
export function changedValues(
  kind: ProviderKind,
  provider: ProviderDeclaration,
  values: Values,
  saved: Record<string, unknown>,
  locked: string[],
  inUse: boolean,
): Values {
  const changed: Values = {};
  for (const field of provider.fields) {
    const value = (values[field.key] ?? "").trim();
    if (locked.includes(field.key) || value === "") continue;
    // What is not saved has its default already, as long as this is the provider in use.
    if (
      field.kind !== "secret" &&
      String(saved[field.key] ?? (inUse ? field.default : undefined) ?? "") === value
    )
      continue;
    changed[field.key] = value;
  }
  if (!inUse && !locked.includes(providerChoiceKeys[kind]))
    changed[providerChoiceKeys[kind]] = provider.id;
  return changed;
}

/** Which credential and address a test goes with. */
export function testInput(
  provider: ProviderDeclaration,
  values: Values,
  saved: Record<string, unknown>,
): { provider: string; apiKey: string | true | null; basePath: string | null } {
  const secret = provider.fields.find((field) => field.kind === "secret");
  const address = provider.fields.find((field) => field.kind === "url");
  const typed = secret ? (values[secret.key] ?? "").trim() : "";
  return {
    provider: provider.id,
    apiKey: typed || (secret && isSaved(secret, saved) ? true : null),
    basePath: address ? (values[address.key] ?? "").trim() || null : null,
  };
}

/** The letters of a provider's tile; others' logos are not ours to show. */
export const tileOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .split(" ")
    .map((word) => word[0] ?? "")
    .join("")
    .slice(0, 2)
    .toUpperCase();
