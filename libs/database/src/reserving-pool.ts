import { AsyncLocalStorage } from "node:async_hooks";
import pg, { type PoolClient, type PoolConfig } from "pg";
import { isLoginRefused } from "./instance-secret.ts";

type Callback = Parameters<InstanceType<typeof pg.Pool>["connect"]>[0];

const reserved = new AsyncLocalStorage<true>();

/**
 * Queries of this work may also use the connections that the service's database `reserves`: for
 * work that somebody waits for, or for which others hold connections.
 */
export const withReservedConnections = <T>(work: () => T): T => reserved.run(true, work);

/** A pool that keeps a third of its connections free for `withReservedConnections`. */
class ReservingPool extends pg.Pool {
  private readonly limit: number;
  /** Connections that other work holds or is about to get. */
  private held = 0;
  private readonly clients = new Set<PoolClient>();
  private readonly waiting: Callback[] = [];

  constructor(config: PoolConfig & { max: number }) {
    super(config);
    this.limit = Math.ceil((config.max * 2) / 3);
    this.on("release", (_fault, client) => {
      if (this.clients.delete(client)) this.free();
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((fault, client) => (fault ? reject(fault) : resolve(client!))),
      );
    if (reserved.getStore()) return super.connect(callback);
    if (this.held < this.limit) this.hold(callback);
    else this.waiting.push(callback);
  }

  private hold(callback: Callback): void {
    this.held++;
    super.connect((fault, client, release) => {
      if (client) this.clients.add(client);
      else this.free();
      callback(fault, client, release);
    });
  }

  private free(): void {
    this.held--;
    const next = this.waiting.shift();
    if (next) this.hold(next);
  }
}

/** The driver for TypeORM. */
export const reservingDriver: object = Object.assign(Object.create(pg) as object, {
  Pool: ReservingPool,
});

/** Is notified about a pool's logins. */
export interface LoginWatch {
  /**
   * Resolves with the URL to log in with from now on; rejects if this process can't achieve that.
   */
  recover(): Promise<string>;
  onLogin(): void;
}

/** A driver whose pool repairs a refused login and then tries once more. */
export function recoveringDriver(
  driver: { Pool?: typeof pg.Pool } = pg,
  login: LoginWatch,
): object {
  const Base = driver.Pool ?? pg.Pool;
  class RecoveringPool extends Base {
    override connect(): Promise<PoolClient>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<PoolClient> | void {
      if (!callback)
        return new Promise((resolve, reject) =>
          this.connect((fault, client) => (fault ? reject(fault) : resolve(client!))),
        );
      const watched: Callback = (fault, client, release) => {
        if (!fault) login.onLogin();
        callback(fault, client, release);
      };
      super.connect((fault, client, release) => {
        if (!isLoginRefused(fault)) return watched(fault, client, release);
        login.recover().then(
          (url) => {
            this.options.connectionString = url;
            super.connect(watched);
          },
          () => callback(fault, client, release),
        );
      });
    }
  }
  return Object.assign(Object.create(driver) as object, { Pool: RecoveringPool });
}
