import {
  CarrelError,
  clipText,
  renderFault,
  type KnownFault,
  type SqlAddress,
} from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { ToolError } from "../tool.ts";
import { ReceivedTooMuch } from "./guarded-socket.ts";
import { sqlLimits } from "./sql-engine.ts";

const longestDetails = 600;

export const toolError = (fault: KnownFault, cause?: unknown): ToolError =>
  new ToolError(renderFault(fault), fault, { cause });

/** What the model may correct, in its own words. */
export const refuseStatement = (details: string): ToolError =>
  toolError({ code: "sql.statement-refused", params: { details } });

/** The code of an error of a driver, of the server or of the network. */
interface DriverError {
  message?: string;
  /** SQLSTATE with PostgreSQL, a name such as ECONNREFUSED or ELOGIN otherwise. */
  code?: unknown;
  hint?: unknown;
  /** MySQL's. */
  errno?: unknown;
  sqlState?: unknown;
  fatal?: unknown;
  /** SQL Server's. */
  number?: unknown;
  class?: unknown;
  errors?: unknown;
  cause?: unknown;
}

const networkCodes =
  /^(ECONN|EHOST|ENET|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|ESOCKET|PROTOCOL_CONNECTION_LOST|08)/;

/**
 * Says what went wrong without hosts, users and passwords, which the messages of servers and drivers
 * contain: only those about the statement are passed on.
 */
export function toSqlFault(
  error: unknown,
  database: string,
  address: SqlAddress | null,
): KnownFault {
  if (error instanceof CarrelError && error.code === "sql.connection-string-invalid")
    return error.toFault() as KnownFault;
  const all = unwrap(error);
  if (all.some((each) => each instanceof EgressError && each.reason === "refused"))
    return { code: "sql.address-refused", params: { database } };
  if (all.some((each) => each instanceof ReceivedTooMuch))
    return {
      code: "sql.statement-invalid",
      params: { details: "the result is too large. Select fewer columns and rows." },
    };
  for (const each of all) {
    const fault = ofServer(each as DriverError, database, address);
    if (fault !== null) return fault;
  }
  const code = all.map(codeOf).find((each) => each !== "") ?? "";
  const messages = all.map((each) => (each as DriverError).message ?? "").join(" ");
  if (/timeout|timed out/i.test(`${code} ${messages}`) || code === "ETIMEDOUT")
    return { code: "sql.unreachable", params: { database, cause: " in time" } };
  if (/self.signed|certificate|encrypt|SSL|TLS|EPROTO/i.test(`${code} ${messages}`))
    return { code: "sql.encryption-failed", params: { database } };
  const cause = /^[A-Z0-9_]{3,40}$/.test(code) ? ` (${code})` : "";
  return networkCodes.test(code) || /connection|socket|closed/i.test(messages)
    ? { code: "sql.unreachable", params: { database, cause } }
    : { code: "sql.failed", params: { database, cause } };
}

function unwrap(error: unknown): unknown[] {
  const found: unknown[] = [];
  const visit = (each: unknown, depth: number): void => {
    if (typeof each !== "object" || each === null || depth > 4) return;
    found.push(each);
    visit((each as DriverError).cause, depth + 1);
    const { errors } = each as DriverError;
    if (Array.isArray(errors)) for (const inner of errors) visit(inner, depth + 1);
  };
  visit(error, 0);
  return found;
}

const codeOf = (error: unknown): string => {
  const { code } = error as DriverError;
  return typeof code === "string" ? code : "";
};

function ofServer(
  error: DriverError,
  database: string,
  address: SqlAddress | null,
): KnownFault | null {
  const kind =
    typeof error.number === "number"
      ? ofSqlServer(error.number, Number(error.class ?? 0))
      : typeof error.errno === "number" && error.sqlState !== undefined
        ? ofMysql(error.errno, String(error.sqlState))
        : typeof error.code === "string"
          ? ofState(error.code)
          : null;
  switch (kind) {
    case null:
      return null;
    case "sql.statement-invalid":
      return { code: kind, params: { details: redact(detailsOf(error), address) } };
    case "sql.write-refused":
      return { code: kind };
    case "sql.timed-out":
      return { code: kind, params: { seconds: sqlLimits.statementMs / 1_000 } };
    default:
      return { code: kind, params: { database } };
  }
}

type ServerFault =
  | "sql.login-rejected"
  | "sql.database-missing"
  | "sql.busy"
  | "sql.not-allowed"
  | "sql.write-refused"
  | "sql.statement-invalid"
  | "sql.timed-out";

/** PostgreSQL's SQLSTATEs (PostgreSQL 18, appendix A), and the names of SQL Server's driver. */
function ofState(code: string): ServerFault | null {
  if (code === "28P01" || code === "28000" || code === "ELOGIN") return "sql.login-rejected";
  if (code === "3D000") return "sql.database-missing";
  if (code === "53300" || code === "57P03") return "sql.busy";
  if (code === "42501") return "sql.not-allowed";
  if (code === "25006" || code === "25001") return "sql.write-refused";
  if (code === "57014" || code === "55P03" || code === "ETIMEOUT") return "sql.timed-out";
  return /^(42|22|21|0A|54|3F)[0-9A-Z]{3}$/.test(code) ? "sql.statement-invalid" : null;
}

/** MySQL 8.4's and MariaDB's server errors; those about privileges name user and host. */
function ofMysql(errno: number, state: string): ServerFault | null {
  if (errno === 1045 || errno === 1698) return "sql.login-rejected";
  if (errno === 1049) return "sql.database-missing";
  if (errno === 1040 || errno === 1203 || errno === 1226) return "sql.busy";
  if (errno === 1792 || errno === 1836 || errno === 1290) return "sql.write-refused";
  if ([3024, 1969, 1205, 1317].includes(errno)) return "sql.timed-out";
  if ([1044, 1142, 1143, 1227, 1370, 1410, 1356].includes(errno)) return "sql.not-allowed";
  return /^(42|22|21)/.test(state) ? "sql.statement-invalid" : null;
}

/** SQL Server's (sys.messages); those of linked servers (7000 to 7999) name other servers. */
function ofSqlServer(number: number, severity: number): ServerFault | null {
  if (number === 18456 || number === 18452 || number === 18470) return "sql.login-rejected";
  if (number === 4060 || number === 911) return "sql.database-missing";
  if (number === 3906 || number === 3908 || number === 3910) return "sql.write-refused";
  if (number === 1222) return "sql.timed-out";
  if ([229, 230, 262, 297, 300, 371, 916].includes(number)) return "sql.not-allowed";
  if (number >= 7_000 && number < 8_000) return null;
  return severity === 15 || severity === 16 ? "sql.statement-invalid" : null;
}

function detailsOf({ message = "", hint }: DriverError): string {
  const words = `${message}${typeof hint === "string" ? ` (${hint})` : ""}`;
  return clipText(words.replace(/\s+/g, " ").trim(), longestDetails);
}

/** Nothing of the connection, wherever a server may have put it. */
function redact(text: string, address: SqlAddress | null): string {
  if (address === null) return text;
  const secrets = [address.password, ...Object.values(address.options), address.host].filter(
    (each) => each.length > 3,
  );
  return secrets.reduce((words, secret) => words.replaceAll(secret, "***"), text);
}
