import { CarrelError } from "@carrel/contracts";
import type { DataSource, EntityManager } from "typeorm";
import type { RequestContext } from "./handle.ts";

/** What a result is kept under; a request's context has it. */
type KeyedContext = Pick<RequestContext, "contract" | "scope" | "idempotencyKey">;

/**
 * The key of a request's result in `request_result`, for handlers that store `{ value: result }`
 * under it in their own statement. Scoped to the user or API key, so that a client-chosen key can't
 * collide with someone else's.
 */
export const resultKey = ({ contract, scope, idempotencyKey }: KeyedContext): string =>
  JSON.stringify([
    contract,
    scope.principal.kind,
    scope.principal.userId,
    scope.principal.keyId ?? null,
    idempotencyKey,
  ]);

/** Encrypts text; `SecretBox` of libs/database. */
interface Sealing {
  seal(text: string): string;
  open(sealed: string): string;
}
type StoredResult<T> = { value?: T } | { sealed: string };

function open<T>(stored: StoredResult<T>, box: Sealing | undefined): T {
  const { value } =
    "sealed" in stored ? (JSON.parse(box!.open(stored.sealed)) as { value?: T }) : stored;
  return value as T;
}

/**
 * Runs a keyed handler's work and stores its result under the request's key in one transaction. A
 * duplicate delivery waits for the first and returns its result; if the first fails, nothing is
 * stored and the duplicate runs. A result that holds a secret needs a `box`, which encrypts it.
 */
export async function keyed<T>(
  dataSource: DataSource,
  ctx: KeyedContext,
  run: (manager: EntityManager) => Promise<T>,
  box?: Sealing,
): Promise<T> {
  const key = resultKey(ctx);
  return dataSource.transaction(async (manager) => {
    const claimed = await manager.query<unknown[]>(
      "INSERT INTO request_result (key) VALUES ($1) ON CONFLICT (key) DO NOTHING RETURNING key",
      [key],
    );
    if (claimed.length === 0) {
      const [row] = await manager.query<{ result: StoredResult<T> | null }[]>(
        "SELECT result FROM request_result WHERE key = $1",
        [key],
      );
      if (!row?.result) throw new CarrelError("request.duplicate");
      return open(row.result, box);
    }
    const value = await run(manager);
    await manager.query("UPDATE request_result SET result = $2 WHERE key = $1", [
      key,
      JSON.stringify(
        box === undefined ? { value } : { sealed: box.seal(JSON.stringify({ value })) },
      ),
    ]);
    return value;
  });
}
