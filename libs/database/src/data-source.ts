import {
  DataSource,
  DefaultNamingStrategy,
  type DataSourceOptions,
  type NamingStrategyInterface,
  type QueryRunner,
} from "typeorm";
import { recoveringDriver, reservingDriver, type LoginWatch } from "./reserving-pool.ts";

const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

/** Entities in camelCase, tables and columns in singular snake_case. */
class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(target: string, customName: string | undefined): string {
    return customName ?? snake(target);
  }
  override columnName(
    property: string,
    customName: string | undefined,
    prefixes: string[],
  ): string {
    return [...prefixes, customName ?? property]
      .map((part, index, all) => (customName && index === all.length - 1 ? part : snake(part)))
      .join("_");
  }
  override relationName(property: string): string {
    return snake(property);
  }
  override joinColumnName(relation: string, referenced: string): string {
    return snake(`${relation}_${referenced}`);
  }
  override joinTableName(first: string, second: string, firstProperty: string): string {
    return snake(`${first}_${firstProperty.replaceAll(".", "_")}_${second}`);
  }
  override joinTableColumnName(table: string, property: string, column?: string): string {
    return snake(`${table}_${column ?? property}`);
  }
}

/**
 * What one service keeps in PostgreSQL: its schema, entities and migrations (explicit classes,
 * oldest first).
 */
export interface ServiceDatabase {
  schema: string;
  // TypeORM accepts entities and migrations as classes with any constructor.
  entities: Function[]; // oxlint-disable-line typescript/no-unsafe-function-type
  migrations: Function[]; // oxlint-disable-line typescript/no-unsafe-function-type
  /** Whether a third of the pool is kept free for `withReservedConnections`. */
  reserves?: boolean;
}

const named = /^[a-z][a-z0-9_]*$/;

/**
 * Options shared by the pool and the migration runner. Statements time out after 30 s, so that a
 * lost caller doesn't hold locks for long. TypeORM's own logging is off because it would print the
 * parameters of failed queries; the caller logs the error.
 */
export function dataSourceOptions(
  url: string,
  database: ServiceDatabase,
  poolSize: number,
): DataSourceOptions {
  if (!named.test(database.schema)) throw new Error(`'${database.schema}' is not a schema name`);
  return {
    type: "postgres",
    url,
    schema: database.schema,
    applicationName: `carrel ${database.schema}`,
    entities: database.entities,
    migrations: database.migrations,
    migrationsTransactionMode: "each",
    migrationsTableName: "migration",
    synchronize: false,
    migrationsRun: false,
    logging: false,
    namingStrategy: new SnakeNamingStrategy(),
    poolSize,
    ...(database.reserves && { driver: reservingDriver }),
    extra: {
      options: `-c search_path=${database.schema},public`,
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 10_000,
    },
  };
}

/**
 * Not yet initialised: the caller awaits `initialize()`. Pool of 6 by default. `login` is notified
 * when the role can no longer log in.
 */
export function createDataSource(
  url: string,
  database: ServiceDatabase,
  { poolSize = 6, login }: { poolSize?: number; login?: LoginWatch } = {},
): DataSource {
  const options = dataSourceOptions(url, database, poolSize);
  if (login === undefined) return new DataSource(options);
  const driver = recoveringDriver((options as { driver?: object }).driver, login);
  return new DataSource({ ...options, driver } as DataSourceOptions);
}

/** The part of pg's `Pool` and `Client` used here; TypeORM's own queries can't be named. */
interface NamedQueries {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/**
 * Runs a frequent query as a named statement, so it is planned once per connection instead of every
 * time. Each name must always have the same text. With a query runner, it runs in its transaction.
 */
export async function preparedQuery<Row>(
  on: DataSource | QueryRunner,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const queries =
    on instanceof DataSource
      ? (on.driver as unknown as { master: NamedQueries }).master
      : ((await on.connect()) as NamedQueries);
  return (await queries.query({ name, text, values })).rows as Row[];
}
