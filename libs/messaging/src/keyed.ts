import type { DataSource, EntityManager } from "typeorm";
import { CarrelError } from "@carrel/contracts";
import type { RequestContext } from "./handle.ts";

/**
 * Runs a keyed handler's work and stores its result under the request's key, in one transaction. A
 * second delivery
 * waits for the first and gives its result; when the first failed nothing is stored and the second
 * runs.
 */
export async function keyed<T>(
  dataSource: DataSource,
  ctx: RequestContext,
  run: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  // Two people, or two API keys, cannot meet on one key, even when a client chooses it.
  const key = JSON.stringify([
    ctx.contract,
    ctx.scope.principal.kind,
    ctx.scope.principal.userId,
    ctx.scope.principal.keyId ?? null,
    ctx.idempotencyKey,
  ]);
  return dataSource.transaction(async (manager) => {
    const claimed = await manager.query<unknown[]>(
      "insert into request_result (key) values ($1) on conflict (key) do nothing returning key",
      [key],
    );
    if (claimed.length === 0) {
      const [row] = await manager.query<{ result: { value?: T } | null }[]>(
        "select result from request_result where key = $1",
        [key],
      );
      if (!row?.result)
        throw new CarrelError("CONFLICT", "The same request is being worked on.", {
          isRetryable: true,
        });
      return row.result.value as T;
    }
    const value = await run(manager);
    await manager.query("update request_result set result = $2 where key = $1", [
      key,
      JSON.stringify({ value }),
    ]);
    return value;
  });
}
