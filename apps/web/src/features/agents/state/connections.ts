import { agentLabels, sqlEngines, type SkillId } from "@carrel/contracts/skill-declaration";
import type { Preferences } from "../../../lib/agent-preferences.ts";

/** A database as the server sends it; a password is a mask. */
export interface Connection {
  database_id: string;
  engine: (typeof sqlEngines)[number];
  schema: string | null;
  username: string;
  password: string;
  host: string;
  port: string;
  database: string;
}

export const emptyConnection: Connection = {
  database_id: "",
  engine: "postgresql",
  schema: null,
  username: "",
  password: "",
  host: "",
  port: "",
  database: "",
};

/** Whether the skill can do nothing yet, because nothing has been entered that it could reach. */
export const needsSetup = (
  skill: SkillId,
  preferences: Preferences,
  folders: readonly string[],
): boolean =>
  (skill === "sql-agent" && connectionsIn(preferences).length === 0) ||
  (skill === "filesystem-agent" && folders.length === 0);

export function connectionsIn(preferences: Preferences): Connection[] {
  const value = preferences[agentLabels.sqlConnections];
  return Array.isArray(value) ? (value as Connection[]) : [];
}

const schemes = { postgresql: "postgresql", mysql: "mysql", "sql-server": "mssql" } as const;

/** An address such as postgresql://name:password@host:5432/database. */
export function connectionString(connection: Connection): string {
  const { engine, username, password, host, port, database } = connection;
  const user = encodeURIComponent(username.trim());
  const secret = password === "" ? "" : `:${encodeURIComponent(password)}`;
  const account = user === "" && secret === "" ? "" : `${user}${secret}@`;
  const place = host.trim() + (port.trim() === "" ? "" : `:${port.trim()}`);
  return `${schemes[engine]}://${account}${place}/${encodeURIComponent(database.trim())}`;
}

/** A saved password is only used for the server that it was saved for. */
export const isSameServer = (one: Connection, other: Connection): boolean =>
  one.engine === other.engine && one.host.trim() === other.host && one.port.trim() === other.port;
