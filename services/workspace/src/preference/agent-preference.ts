import {
  agentLabels,
  agentPreferences,
  defaultMaxQuestions,
  fillSqlPassword,
  formatSqlAddress,
  isSecretMask,
  maxMaxQuestions,
  readSqlAddress,
  searchProviders,
  secretMask,
  skillRuleMap,
  sqlEngines,
  type SqlServer,
} from "@carrel/contracts";
import type { SecretBox } from "@carrel/database";
import { z } from "zod";
import {
  type PreferenceDefinition,
  cleanText,
  readFlag,
  readList,
  readNumber,
} from "./preference-reader.ts";

/*
 * Preferences of agents (wire-contract 5.7 and 7). Secrets are sealed in what is stored, and are
 * never sent back.
 */

const parseJson = (sent: unknown): unknown => {
  if (typeof sent !== "string") return sent;
  try {
    return JSON.parse(sent);
  } catch {
    return undefined;
  }
};

const engine = z
  .string()
  .trim()
  .toLowerCase()
  .transform((name) => (["mssql", "sqlserver"].includes(name) ? "sql-server" : name))
  .pipe(z.enum(sqlEngines));
const databaseName = z
  .string()
  .transform((name) => cleanText(name, 128))
  .pipe(z.string().min(1));
const connectionFields = {
  engine,
  database_id: databaseName,
  connectionString: z.string().trim().min(1).max(4_096),
  schema: z
    .string()
    .nullish()
    .transform((name) => cleanText(name ?? "", 128) || null),
};
const sqlAction = z.discriminatedUnion("action", [
  z.object({ action: z.literal("add"), ...connectionFields }),
  z.object({
    action: z.literal("update"),
    ...connectionFields,
    originalDatabaseId: databaseName.optional(),
  }),
  z.object({ action: z.literal("remove"), database_id: databaseName }),
]);
type SqlAction = z.infer<typeof sqlAction>;

/** What is stored of a database; the rest of its connection string is shown to admins. */
const storedConnection = z.object({
  name: z.string(),
  engine: z.enum(sqlEngines),
  schema: z.string().nullable(),
  username: z.string(),
  hasPassword: z.boolean(),
  host: z.string(),
  port: z.string(),
  database: z.string(),
  /** The connection string. */
  sealed: z.string(),
});
type StoredConnection = z.infer<typeof storedConnection>;
export const storedConnections = z.array(storedConnection).catch([]);

const maxConnections = 50;

/** Without a password if a client sent a mask for another server than the stored one. */
function withPassword(server: SqlServer, before: SqlServer | undefined): string {
  const address = readSqlAddress(server);
  if (address === null) return server.connectionString;
  const saved = before === undefined ? [] : [before];
  return fillSqlPassword(server, saved) ?? formatSqlAddress({ ...address, password: "" });
}

function describeConnection(
  server: SqlServer,
): Omit<StoredConnection, "name" | "engine" | "schema" | "sealed"> {
  const address = readSqlAddress(server);
  return {
    username: address?.username ?? "",
    hasPassword: (address?.password ?? "") !== "",
    host: address?.host ?? "",
    port: String(address?.port ?? ""),
    database: address?.database ?? "",
  };
}

/** A name that no other connection has. */
function freeName(name: string, taken: readonly StoredConnection[]): string {
  const isTaken = (one: string): boolean => taken.some((each) => each.name === one);
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

function applyAction(
  connections: readonly StoredConnection[],
  action: SqlAction,
  box: SecretBox,
): StoredConnection[] {
  if (action.action === "remove")
    return connections.filter(({ name }) => name !== action.database_id);
  const original =
    action.action === "update"
      ? connections.find(({ name }) => name === (action.originalDatabaseId ?? action.database_id))
      : undefined;
  if (action.action === "update" && original === undefined) return [...connections];
  if (original === undefined && connections.length >= maxConnections) return [...connections];
  const before = original && {
    engine: original.engine,
    connectionString: box.open(original.sealed),
  };
  const text = withPassword(action, before);
  const others = connections.filter((each) => each !== original);
  const stored: StoredConnection = {
    name: freeName(action.database_id, others),
    engine: action.engine,
    schema: action.schema,
    ...describeConnection({ engine: action.engine, connectionString: text }),
    sealed:
      original !== undefined && text === before?.connectionString
        ? original.sealed
        : box.seal(text),
  };
  return original === undefined
    ? [...connections, stored]
    : connections.map((each) => (each === original ? stored : each));
}

const sqlConnections: PreferenceDefinition = {
  by: "admin",
  /** Actions as JSON text or a list; those that make no sense are dropped. */
  write: (sent) => {
    const actions = z.array(z.unknown()).safeParse(parseJson(sent)).data;
    return actions
      ?.slice(0, 2 * maxConnections)
      .flatMap((action) => sqlAction.safeParse(action).data ?? []);
  },
  merge: (kept, sent, box) => {
    const connections = (sent as SqlAction[]).reduce<StoredConnection[]>(
      (all, action) => applyAction(all, action, box),
      storedConnections.parse(kept ?? []),
    );
    return connections.length === 0 ? null : connections;
  },
  read: (kept) =>
    storedConnections.parse(kept ?? []).map(({ name, hasPassword, sealed: _sealed, ...rest }) => ({
      database_id: name,
      ...rest,
      password: hasPassword ? secretMask : "",
      scheme: rest.engine === "sql-server" ? "mssql" : rest.engine,
    })),
};

/** What is stored of a skill that signs in elsewhere. */
export const storedConfig = z
  .object({ values: z.record(z.string(), z.string()), sealed: z.record(z.string(), z.string()) })
  .catch({ values: {}, sealed: {} });

/** Stored instead of fields, forgets who signed in; the configuration is kept. */
export const signOut: unique symbol = Symbol("sign out");

/** Stored instead of fields, keeps who signed in to an app. */
export class KeptToken {
  /**
   * @param clientId of the app; nothing is stored for another one
   * @param replaces the token that must be the stored one; null: whatever is stored
   */
  constructor(
    readonly clientId: string,
    readonly refreshToken: string,
    readonly replaces: string | null,
  ) {}

  fits({ values, sealed }: z.infer<typeof storedConfig>, box: SecretBox): boolean {
    if (values.clientId !== this.clientId) return false;
    if (this.replaces === null) return true;
    const stored = sealed.refreshToken;
    return stored !== undefined && box.open(stored) === this.replaces;
  }
}

/** Stored instead of all rules, removes that of one skill. */
export class ForgottenRule {
  constructor(readonly skill: string) {}
}

/**
 * The configuration of a skill that signs in elsewhere. Sent fields are merged into the stored
 * ones; an empty one is deleted, a secret of nothing but asterisks ignored.
 *
 * @param place the field that says where the secrets are sent; they don't follow it elsewhere
 */
function skillConfig(
  plain: readonly string[],
  secret: readonly string[],
  place: readonly string[],
): PreferenceDefinition {
  return {
    by: "admin",
    write: (sent) => {
      if (sent === null || sent === "") return null;
      const fields = z.record(z.string(), z.unknown()).safeParse(parseJson(sent)).data;
      return (
        fields &&
        Object.fromEntries(
          [...plain, ...secret].flatMap((name) => {
            const value = fields[name];
            if (value === null) return [[name, ""]];
            if (typeof value !== "string") return [];
            const text = cleanText(value, 2_048);
            return secret.includes(name) && isSecretMask(text) ? [] : [[name, text]];
          }),
        )
      );
    },
    merge: (kept, sent, box) => {
      if (sent === null) return null;
      const before = storedConfig.parse(kept ?? {});
      if (sent === signOut) {
        const { refreshToken: _token, ...sealed } = before.sealed;
        return kept === undefined ? null : { values: before.values, sealed };
      }
      if (sent instanceof KeptToken) {
        if (!sent.fits(before, box)) return kept ?? null;
        const refreshToken = box.seal(sent.refreshToken);
        return { values: before.values, sealed: { ...before.sealed, refreshToken } };
      }
      const fields = sent as Record<string, string>;
      const hasMoved = place.some(
        (name) => fields[name] !== undefined && fields[name] !== (before.values[name] ?? ""),
      );
      const values = { ...before.values };
      const sealed = hasMoved ? {} : { ...before.sealed };
      for (const [name, text] of Object.entries(fields)) {
        const target = secret.includes(name) ? sealed : values;
        if (text === "") delete target[name];
        else target[name] = target === sealed ? box.seal(text) : text;
      }
      return Object.keys(values).length + Object.keys(sealed).length === 0
        ? null
        : { values, sealed };
    },
  };
}

const list: PreferenceDefinition = {
  by: "admin",
  write: readList,
  read: (kept) => kept ?? [],
};

/** Nobody implements this one, but existing clients may choose it. */
const unimplemented = "google-search-engine";

const lists = agentPreferences.filter(
  (label) => label.startsWith("disabled_") || label === agentLabels.switchedOn,
);

export const agentPreferenceDefinitions: readonly (readonly [string, PreferenceDefinition])[] = [
  [
    agentLabels.searchProvider,
    {
      by: "admin",
      write: (sent) =>
        sent === unimplemented || searchProviders.some(({ id }) => id === sent) ? sent : null,
      read: (kept) => kept ?? null,
    },
  ],
  [agentLabels.sqlConnections, sqlConnections],
  ...lists.map((label) => [label, list] as const),
  [agentLabels.asks, { by: "admin", write: readFlag }],
  [
    agentLabels.maxQuestions,
    {
      by: "admin",
      write: (sent) => Math.min(maxMaxQuestions, readNumber(1, defaultMaxQuestions)(sent)),
    },
  ],
  [agentLabels.gmail, skillConfig(["deploymentId"], ["apiKey"], ["deploymentId"])],
  [agentLabels.calendar, skillConfig(["deploymentId"], ["apiKey"], ["deploymentId"])],
  [
    agentLabels.outlook,
    skillConfig(["clientId", "tenantId"], ["clientSecret"], ["clientId", "tenantId"]),
  ],
  [
    agentLabels.rules,
    {
      by: "admin",
      write: (sent) => (sent === null ? null : skillRuleMap.safeParse(parseJson(sent)).data),
      merge: (kept, sent) => {
        if (!(sent instanceof ForgottenRule)) return sent;
        const { [sent.skill]: _, ...others } = skillRuleMap.catch({}).parse(kept ?? {});
        return Object.keys(others).length === 0 ? null : others;
      },
      read: (kept) => kept ?? {},
    },
  ],
  [agentLabels.automatic, { by: "admin", write: readFlag, read: (kept) => String(kept === true) }],
];
