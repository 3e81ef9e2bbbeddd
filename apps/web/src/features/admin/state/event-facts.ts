/** Readable name for events that have no text: those of later versions and of other clients. */
export function readableName(event: string): string {
  const words = event.replace(/[_.-]+/g, " ").trim();
  return words === "" ? event : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A key as text: `changedRole`, `changed_role` → "Changed role". */
const readableKey = (key: string): string =>
  readableName(
    key.replace(
      /([a-z0-9])([A-Z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    ),
  );

function readableValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(readableValue).join(", ");
  const entries = Object.entries(value);
  const change = value as { from?: unknown; to?: unknown };
  if ("from" in value && "to" in value && entries.length === 2)
    return `${readableValue(change.from)} → ${readableValue(change.to)}`;
  return entries.map(([key, inner]) => `${readableKey(key)}: ${readableValue(inner)}`).join("\n");
}

/** Whether a program did it, with one of the instance's API keys. */
export const isByApiKey = (metadata: string | null): boolean =>
  /"apiKeyId":\d/.test(metadata ?? "");

/** The recorded metadata of an event (JSON text on this wire) as name and value. */
export function factsOf(metadata: string | null): [name: string, value: string][] {
  if (metadata === null || metadata === "") return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(metadata);
  } catch {
    return [["", metadata]]; // not JSON: shown verbatim
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return [["", readableValue(parsed)]];
  return Object.entries(parsed).map(([key, value]) => [readableKey(key), readableValue(value)]);
}
