import pg from "pg";
import type { Api } from "../api.ts";
import type { Caller, World } from "./world.ts";

/** Another session of the caller, whose sign-in is eleven minutes ago. */
export async function oldSession({ instance }: World, caller: Caller): Promise<Api> {
  const api = await caller.again();
  const [, claims] = String(api.token).split(".");
  const { sid } = JSON.parse(Buffer.from(claims!, "base64url").toString()) as { sid: string };
  const sql = new pg.Client({ connectionString: instance.databaseUrl });
  await sql.connect();
  try {
    await sql.query(
      "UPDATE auth.session SET created_at = now() - interval '11 minutes' WHERE id = $1",
      [sid],
    );
  } finally {
    await sql.end();
  }
  return api;
}
