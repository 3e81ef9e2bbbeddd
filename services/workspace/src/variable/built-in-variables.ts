import type { Out, listVariables } from "@carrel/contracts";
import type { Texts } from "@carrel/texts";

/** Everything the built-in variables are computed from. */
export interface Moment {
  now: Date;
  /** The client's, if it is known; otherwise the server's. */
  timeZone: string | null;
  locale: string | null;
  /** Null for the instance's own session and API keys. */
  user: { username: string; bio: string } | null;
  workspace: { id: number; name: string } | null;
}
interface BuiltIn {
  key: string;
  /** Describes it. */
  text: Extract<Parameters<Texts>[0], `variable${string}`>;
  type: "system" | "user" | "workspace";
  multiUserRequired: boolean;
  read(moment: Moment): string;
}

/**
 * Locale and time zone come from clients; an unknown one is replaced by the default, independently
 * of the other.
 */
function format({ now, timeZone, locale }: Moment, options: Intl.DateTimeFormatOptions): string {
  for (const [language, zone] of [
    [locale, timeZone],
    [null, timeZone],
    [locale, null],
  ] as const) {
    try {
      return new Intl.DateTimeFormat(language ?? "en-US", {
        ...options,
        timeZone: zone ?? undefined,
      }).format(now);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return new Intl.DateTimeFormat("en-US", options).format(now);
}
const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
const time = { hour: "numeric", minute: "2-digit", second: "2-digit" } as const;
const fullDay = { ...time, hour: "2-digit", hourCycle: "h23" } as const;
const system = { type: "system", multiUserRequired: false } as const;
const user = { type: "user", multiUserRequired: true } as const;
const workspace = { type: "workspace", multiUserRequired: false } as const;

/** wire-contract 13.2, in the order clients show them. */
const builtInVariables: readonly BuiltIn[] = [
  { key: "time", text: "variableTime", ...system, read: (moment) => format(moment, time) },
  { key: "date", text: "variableDate", ...system, read: (moment) => format(moment, date) },
  {
    key: "datetime",
    text: "variableDatetime",
    ...system,
    read: (moment) => format(moment, { ...date, ...time }),
  },
  {
    key: "time_24",
    text: "variableTime24",
    ...system,
    read: (moment) => format(moment, fullDay),
  },
  {
    key: "datetime_24",
    text: "variableDatetime24",
    ...system,
    read: (moment) => format(moment, { ...date, ...fullDay }),
  },
  {
    key: "user.name",
    text: "variableUserName",
    ...user,
    read: (moment) =>
      moment.user === null
        ? "[User name]"
        : moment.user.username || "[User name is empty or unknown]",
  },
  {
    key: "user.bio",
    text: "variableUserBio",
    ...user,
    read: (moment) =>
      moment.user === null ? "[User bio]" : moment.user.bio.trim() || "[User bio is empty]",
  },
  {
    key: "workspace.id",
    text: "variableWorkspaceId",
    ...workspace,
    read: (moment) => (moment.workspace === null ? "[Workspace ID]" : String(moment.workspace.id)),
  },
  {
    key: "workspace.name",
    text: "variableWorkspaceName",
    ...workspace,
    read: (moment) => moment.workspace?.name ?? "[Workspace name]",
  },
];
const keys: ReadonlySet<string> = new Set(builtInVariables.map(({ key }) => key));
export const isBuiltIn = (key: string): boolean => keys.has(key);

/** Lists variables without id and value; user variables only if `hasUser`. */
export const listBuiltIns = (
  hasUser: boolean,
  say: Texts,
): Out<typeof listVariables>["variables"] =>
  builtInVariables
    .filter(({ multiUserRequired }) => hasUser || !multiUserRequired)
    .map(({ key, text, type, multiUserRequired }) => ({
      key,
      description: say(text),
      type,
      multiUserRequired,
    }));

export const readBuiltIns = (moment: Moment): Record<string, string> =>
  Object.fromEntries(builtInVariables.map(({ key, read }) => [key, read(moment)]));
