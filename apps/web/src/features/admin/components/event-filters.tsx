import { X } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Input, Select } from "../../../components/ui/field.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import type { EventLogState } from "../api/events.ts";
import { isNarrowed, type EventSearch } from "../state/page-search.ts";

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

/** Whether Carrel itself caused the event; its user is then the owner, not the actor. */
export const isByCarrel = (metadata: string | null): boolean =>
  /"by":"service"/.test(metadata ?? "");

/** The title of what an event is about; null if it doesn't say. */
export function titleOf(metadata: string | null): string | null {
  if (metadata === null) return null;
  try {
    const { title } = (JSON.parse(metadata) ?? {}) as { title?: unknown };
    return typeof title === "string" && title !== "" ? title : null;
  } catch {
    return null;
  }
}

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

/** Names events readably, even if this version has no text for one. */
export function useEventName(): (event: string) => string {
  const { t, i18n } = useTranslation("admin");
  return useCallback(
    (event) =>
      i18n.exists(`admin:events.name.${event}`)
        ? t(`events.name.${event}` as "events.name.login_event")
        : readableName(event),
    [t, i18n],
  );
}

/** Pause in typing before the list is updated, in ms. */
const pauseMs = 300;
const control = "h-8 w-auto max-w-[180px] max-md:h-11 max-md:w-full max-md:max-w-none";

/** The log's filters; kept in the address. */
export function EventFilters({
  search,
  state,
  onSearch,
}: {
  search: EventSearch;
  state: EventLogState | undefined;
  onSearch: (search: EventSearch) => void;
}) {
  const { t } = useTranslation("admin");
  const nameOf = useEventName();
  const set = (change: { [name in keyof EventSearch]: EventSearch[name] | undefined }): void =>
    onSearch(
      Object.fromEntries(
        Object.entries({ ...search, page: undefined, ...change }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
    );
  // Filters in the address come first, because the state may not know them.
  const kinds = new Map(
    [...(search.event === undefined ? [] : [search.event]), ...(state?.events ?? [])].map(
      (event) => [event, nameOf(event)],
    ),
  );
  return (
    <>
      <TextFilter
        text={search.search ?? ""}
        onText={(text) => set({ search: text || undefined })}
      />
      <Select
        className={control}
        aria-label={t("events.filterEvent")}
        value={search.event ?? ""}
        onChange={({ target }) => set({ event: target.value || undefined })}
      >
        <option value="">{t("events.allEvents")}</option>
        {[...kinds]
          .sort(([, one], [, other]) => one.localeCompare(other))
          .map(([event, name]) => (
            <option key={event} value={event}>
              {name}
            </option>
          ))}
      </Select>
      <Select
        className={control}
        aria-label={t("events.filterUser")}
        value={search.userId ?? ""}
        onChange={({ target }) =>
          set({ userId: target.value === "" ? undefined : Number(target.value) })
        }
      >
        <option value="">{t("events.allUsers")}</option>
        <option value={0}>{t("events.nobody")}</option>
        {(search.userId ?? 0) > 0 && !state?.users.some(({ id }) => id === search.userId) && (
          <option value={search.userId}>{t("events.deletedUser", { id: search.userId })}</option>
        )}
        {state?.users.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </Select>
      {(["from", "to"] as const).map((end) => (
        <label
          key={end}
          className="flex items-center gap-2 text-xs text-fg-3 max-md:w-full max-md:[&>input]:flex-1"
        >
          <span className="max-md:w-9">{t(`events.${end}`)}</span>
          <Input
            type="date"
            className="h-8 w-[136px] max-md:h-11"
            value={search[end] ?? ""}
            min={end === "to" ? search.from : undefined}
            max={end === "from" ? search.to : undefined}
            onChange={({ target }) => set({ [end]: target.value || undefined })}
          />
        </label>
      ))}
      {isNarrowed(search) && (
        <Button
          variant="quiet"
          className="px-2 max-md:w-full"
          aria-label={t("events.clearFilters")}
          title={t("events.clearFilters")}
          onClick={() => onSearch({})}
        >
          <X className="size-3.5 stroke-2" aria-hidden="true" />
          <span className="md:hidden">{t("events.clearFilters")}</span>
        </Button>
      )}
    </>
  );
}

function TextFilter({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { t } = useTranslation("admin");
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  const [sent, setSent] = useState(text);
  // Changed by something else, such as the back button.
  if (text !== known) {
    setKnown(text);
    if (text !== sent) setTyped(text);
  }
  useEffect(() => {
    const next = typed.trim();
    if (next === text) return;
    const timer = setTimeout(() => {
      setSent(next);
      onText(next);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return (
    <SearchField
      label={t("events.search")}
      className="h-8 w-[190px] max-md:h-11 max-md:w-full"
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
