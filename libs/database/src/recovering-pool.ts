import pg, { type PoolClient } from "pg";
import { isLoginRefused } from "./instance-secret.ts";

type Callback = Parameters<InstanceType<typeof pg.Pool>["connect"]>[0];

/** Is notified about a pool's logins. */
export interface LoginWatch {
  /** Resolves once the role may log in again; rejects if this process can't achieve that. */
  recover(): Promise<void>;
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
          () => super.connect(watched),
          () => callback(fault, client, release),
        );
      });
    }
  }
  return Object.assign(Object.create(driver) as object, { Pool: RecoveringPool });
}
