import { CarrelError } from "../errors/carrel-error.ts";
import type { sqlEngines } from "./skill.ts";

export type SqlEngine = (typeof sqlEngines)[number];

/** What a connection string says. The password is in the clear: never for clients. */
export interface SqlAddress {
  /** Without colon, as it was written: postgresql, postgres, mysql, mssql… */
  scheme: string;
  username: string;
  password: string;
  /** Without the brackets of IPv6. */
  host: string;
  port: number;
  /** Empty: the server's default. */
  database: string;
  /** By name in lower case, such as `sslmode` or `encrypt`. */
  options: Record<string, string>;
}

const engines: Record<SqlEngine, { schemes: readonly string[]; port: number; form: string }> = {
  postgresql: {
    schemes: ["postgresql", "postgres"],
    port: 5432,
    form: "postgresql://user:password@host:5432/database",
  },
  mysql: {
    schemes: ["mysql", "mariadb", "mysql2"],
    port: 3306,
    form: "mysql://user:password@host:3306/database",
  },
  "sql-server": {
    schemes: ["mssql", "sqlserver", "sql-server"],
    port: 1433,
    form: "mssql://user:password@host:1433/database",
  },
};

const maxLength = 4_000;

/** Throws `sql.connection-string-invalid`, which doesn't repeat what was entered. */
export function parseSqlAddress(engine: SqlEngine, text: string): SqlAddress {
  const address = text.length > maxLength ? null : readAddress(engine, text.trim());
  if (address === null)
    throw new CarrelError("sql.connection-string-invalid", { form: engines[engine].form });
  return address;
}

function readAddress(engine: SqlEngine, text: string): SqlAddress | null {
  const { schemes, port } = engines[engine];
  const scheme = /^([a-z0-9-]+):\/\//i.exec(text)?.[1];
  if (scheme === undefined) return engine === "sql-server" ? readPairs(text, port) : null;
  if (!schemes.includes(scheme.toLowerCase())) return null;
  try {
    // Passwords often contain characters that a URL would need encoded; the last @ ends them.
    const rest = text.slice(scheme.length + 3);
    const end = rest.search(/\?[^@]*$/);
    const before = end === -1 ? rest : rest.slice(0, end);
    const at = before.lastIndexOf("@");
    const [username, ...secret] = before.slice(0, Math.max(at, 0)).split(":");
    const place = before.slice(at + 1);
    if (place.startsWith("/")) return null;
    const url = new URL(`http://${place}${end === -1 ? "" : rest.slice(end)}`);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const written = /:(\d+)(?:\/|$)/.exec(place)?.[1];
    if (host === "" || url.hash !== "" || url.pathname.slice(1).includes("/")) return null;
    return {
      scheme,
      username: decode(username ?? ""),
      password: decode(secret.join(":")),
      host: decode(host),
      port: written === undefined ? port : Number(written),
      database: decode(url.pathname.slice(1)),
      options: Object.fromEntries(
        [...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]),
      ),
    };
  } catch {
    return null;
  }
}

/** `Server=host,1433;Database=…;User Id=…;Password=…`, as SQL Server's tools write it. */
function readPairs(text: string, defaultPort: number): SqlAddress | null {
  const options: Record<string, string> = {};
  const pair =
    /\s*([^=;]+?)\s*=\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|\{(?:[^}]|\}\})*\}|[^;]*)\s*(?:;|$)/y;
  while (pair.lastIndex < text.length) {
    const [, name, value] = pair.exec(text) ?? [];
    if (name === undefined || value === undefined) return null;
    options[name.toLowerCase().replaceAll(" ", "")] = unquote(value.trim());
  }
  const take = (...names: string[]): string | undefined => {
    const found = names.find((name) => options[name] !== undefined);
    const value = found === undefined ? undefined : options[found];
    for (const name of names) delete options[name];
    return value;
  };
  const server = take("server", "datasource", "address", "addr", "networkaddress");
  const place = /^(?:tcp:)?([^,\\]+?)(?:,\s*(\d{1,5}))?$/i.exec(server ?? "");
  if (place === null) return null;
  return {
    scheme: "mssql",
    username: take("userid", "uid", "user", "username") ?? "",
    password: take("password", "pwd") ?? "",
    host: place[1]!.trim(),
    port: Number(place[2] ?? defaultPort),
    database: take("database", "initialcatalog") ?? "",
    options,
  };
}

const unquote = (value: string): string =>
  /^".*"$/s.test(value)
    ? value.slice(1, -1).replaceAll('""', '"')
    : /^'.*'$/s.test(value)
      ? value.slice(1, -1).replaceAll("''", "'")
      : /^\{.*\}$/s.test(value)
        ? value.slice(1, -1).replaceAll("}}", "}")
        : value;

/** A percent sign that encodes nothing stands for itself. */
const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });

/** The connection string as a URL, with everything encoded that needs it. */
export function formatSqlAddress(address: SqlAddress): string {
  const { username, password, host, port, database, options } = address;
  const login =
    username === "" && password === ""
      ? ""
      : `${encodeURIComponent(username)}${password === "" ? "" : `:${encodeURIComponent(password)}`}@`;
  const query = new URLSearchParams(options).toString();
  const place = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  return `${address.scheme}://${login}${place}:${port}/${encodeURIComponent(database)}${query === "" ? "" : `?${query}`}`;
}
