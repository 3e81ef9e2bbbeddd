import {
  providerChoiceKeys,
  type ProviderDeclaration,
  type ProviderField,
} from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { settingCaptions, type SettingCaption } from "@carrel/contracts/setting-captions";

const privateNames = /^(?:localhost|[^.:]+|.+\.(?:local|localhost|internal|lan|home\.arpa))$/;
const privateIpv4 =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$)/;
const privateIpv6 = /^\[(?:::1?\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;

/** Whether a URL's host is this machine or in a private network, judging by its name. */
export function isPrivateAddress(address: string): boolean {
  const host = URL.parse(address)?.hostname.toLowerCase() ?? "";
  if (host.startsWith("[")) return privateIpv6.test(host);
  if (/^[\d.]+$/.test(host)) return privateIpv4.test(host);
  return privateNames.test(host);
}

export type Values = Record<string, string>;
export type ProviderKind = ProviderDeclaration["kind"];
/** The kinds that a browser can provide itself. */
export type BrowserKind = Extract<ProviderKind, "speech" | "dictation">;
/** The kinds whose connections can be tested. */
export type TestedKind = Exclude<ProviderKind, "vector">;

/** The saved value; if nothing is saved, existing clients' forms show `clientDefault`. */
const savedValue = (field: ProviderField, saved: Record<string, unknown>): unknown =>
  field.clientDefault !== undefined && String(saved[field.key]) === String(field.clientDefault)
    ? undefined
    : saved[field.key];

/**
 * Initial values: the saved value, otherwise the field's default. A saved secret starts empty and
 * is never sent back.
 */
export function initialValues(
  provider: ProviderDeclaration,
  saved: Record<string, unknown>,
): Values {
  return Object.fromEntries(
    provider.fields.map((field) => {
      const value = savedValue(field, saved);
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

/**
 * What is saved for this provider: embedders share settings, and the values belong to the one in
 * use.
 */
export function savedFor(
  provider: ProviderDeclaration,
  all: readonly ProviderDeclaration[],
  inUse: string,
  saved: Record<string, unknown>,
): Record<string, unknown> {
  if (provider.id === inUse) return saved;
  const shared = new Set(
    all
      .filter(({ id }) => id !== provider.id)
      .flatMap(({ fields }) => fields.filter(({ kind }) => kind !== "secret"))
      .map(({ key }) => key),
  );
  return Object.fromEntries(Object.entries(saved).filter(([key]) => !shared.has(key)));
}

/**
 * Whether the instance has a secret under this key; the reply only says that, and never has the
 * value.
 */
export const isSaved = (field: ProviderField, saved: Record<string, unknown>): boolean =>
  field.kind === "secret" && saved[field.key] === true;

/** The fields that apply, given the values of the others. */
export const applicableFields = (
  { fields }: ProviderDeclaration,
  values: Values,
): ProviderField[] =>
  fields.filter(({ when }) => when === undefined || when.values.includes(values[when.key] ?? ""));

/**
 * The fields of a form with `credentialsOnly`: what a connection needs. Models and limits are left
 * out if they have a default, and so are options that no other field depends on.
 */
export function credentialFields(provider: ProviderDeclaration, values: Values): ProviderField[] {
  const decisive = new Set(provider.fields.flatMap(({ when }) => (when ? [when.key] : [])));
  return applicableFields(provider, values).filter((field) => {
    if (field.kind === "secret" || decisive.has(field.key)) return true;
    if (field.required && field.default === undefined) return true;
    return !field.advanced && ["url", "text", "select"].includes(field.kind);
  });
}

export type Fault = "missing" | "number" | "tooSmall" | "url" | "mask";
/** The first validation error of a field; null if it is valid. */
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
  if (field.kind === "url" && !(/^https?:\/\//i.test(text) && URL.canParse(text))) return "url";
  return null;
}

/**
 * What to save: fields that differ from their saved values, then the provider itself, so that a
 * rejected field doesn't switch providers.
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
  for (const field of applicableFields(provider, values)) {
    const value = (values[field.key] ?? "").trim();
    if (locked.includes(field.key) || value === "") continue;
    // For the current provider, unsaved fields already use their defaults.
    if (
      field.kind !== "secret" &&
      String(savedValue(field, saved) ?? (inUse ? field.default : undefined) ?? "") === value
    )
      continue;
    changed[field.key] = value;
  }
  if (!inUse && !locked.includes(providerChoiceKeys[kind]))
    changed[providerChoiceKeys[kind]] = provider.id;
  return changed;
}

/** Optional fields that were emptied, which unsets them. */
export const emptiedValues = (
  provider: ProviderDeclaration,
  values: Values,
  saved: Record<string, unknown>,
  locked: string[],
): Values =>
  Object.fromEntries(
    applicableFields(provider, values)
      .filter(
        (field) =>
          field.kind !== "secret" &&
          !field.required &&
          !locked.includes(field.key) &&
          (values[field.key] ?? "").trim() === "" &&
          String(savedValue(field, saved) ?? "") !== "",
      )
      .map(({ key }) => [key, ""]),
  );

/**
 * Whether these changes need a new index; other settings of an embedder don't change its vectors.
 */
export const needsNewIndex = (provider: ProviderDeclaration, changes: Values): boolean =>
  provider.kind === "embedding" &&
  provider.fields.some(({ key, label }) => {
    const { decidesVectors }: SettingCaption = settingCaptions[label];
    return decidesVectors === true && key in changes;
  });

/** Number of edited fields; defaults that would also be saved don't count. */
export const editCount = (
  kind: ProviderKind,
  provider: ProviderDeclaration,
  values: Values,
  saved: Record<string, unknown>,
  locked: string[],
): number => Object.keys(changedValues(kind, provider, values, saved, locked, true)).length;

/** The values that differ from the initial ones; null if none do. */
export function draftOf(values: Values, initial: Values): Values | null {
  const edited = Object.entries(values).filter(([key, value]) => value !== initial[key]);
  return edited.length > 0 ? Object.fromEntries(edited) : null;
}

function addressOf(provider: ProviderDeclaration, values: Values): string {
  const field = provider.fields.find(({ kind }) => kind === "url");
  return field ? (values[field.key] ?? "").trim() : "";
}

/**
 * Where a provider sends data; unknown until there is an address, and for a saved connection
 * string, which is a secret.
 */
export function destinationOf(
  provider: ProviderDeclaration,
  values: Values,
): "browser" | "server" | "private" | "remote" | "unknown" {
  if (provider.inBrowser === true) return "browser";
  if (provider.group !== "local") return provider.group === "builtin" ? "server" : "remote";
  const field = provider.fields.find(
    ({ kind, label }) => kind === "url" || label === "connectionString",
  );
  const address = field ? (values[field.key] ?? "").trim() : "";
  if (!URL.canParse(address)) return "unknown";
  return isPrivateAddress(address) ? "private" : "remote";
}

/**
 * What to test a provider with: the values of its form, including emptied ones. Saved secrets are
 * used if it has none.
 */
export const testInput = (
  kind: TestedKind,
  provider: ProviderDeclaration,
  values: Values,
): { kind: TestedKind; provider: string; settings: Values } => ({
  kind,
  provider: provider.id,
  settings: Object.fromEntries(
    applicableFields(provider, values)
      .map(({ key, kind: type }) => ({ key, type, value: (values[key] ?? "").trim() }))
      .filter(({ type, value }) => type !== "secret" || value !== "")
      .map(({ key, value }) => [key, value]),
  ),
});

/** The credential and address to list models with; `settings` is for providers that need more. */
export interface ListInput {
  provider: string;
  apiKey: string | true | null;
  basePath: string | null;
  settings?: Values;
}

export function listInput(
  provider: ProviderDeclaration,
  values: Values,
  saved: Record<string, unknown>,
): ListInput {
  const fields = applicableFields(provider, { ...initialValues(provider, saved), ...values });
  const secrets = fields.filter((field) => field.kind === "secret");
  const basePath = addressOf(provider, values) || null;
  const list = provider.listId ?? provider.id;
  // Providers that need more than a key and an address to sign in.
  if (provider.fields.some(({ when }) => when !== undefined))
    return {
      provider: list,
      apiKey: secrets.some((secret) => isSaved(secret, saved)) ? true : null,
      basePath,
      settings: Object.fromEntries(
        fields
          .map(({ key }) => [key, (values[key] ?? "").trim()] as const)
          .filter(([, value]) => value !== ""),
      ),
    };
  const [secret] = secrets;
  const typed = secret ? (values[secret.key] ?? "").trim() : "";
  return {
    provider: list,
    apiKey: typed || (secret && isSaved(secret, saved) ? true : null),
    basePath,
  };
}

/** Whether the saved settings suffice for a connection. */
export const isComplete = (
  provider: ProviderDeclaration,
  saved: Record<string, unknown>,
): boolean =>
  applicableFields(provider, initialValues(provider, saved)).every(
    (field) =>
      !field.required ||
      field.kind === "model" ||
      field.default !== undefined ||
      isSaved(field, saved),
  );

/** Initials for a provider's tile; we may not use other companies' logos. */
export function providerInitials(name: string): string {
  const initials = name
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .split(" ")
    .map((word) => [...word][0] ?? "");
  return clipText(initials.join(""), 2).toUpperCase();
}
