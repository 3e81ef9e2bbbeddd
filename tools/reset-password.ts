import { instanceShape, loadConfig } from "@carrel/config";
import { applyNetworkSettings } from "@carrel/egress";
import pg from "pg";
import { startBackends } from "./backends.ts";
import { instanceSettings } from "./checkout.ts";
import { claimHome } from "./data-folder.ts";
import { say } from "./terminal.ts";

/**
 * Removes the password of an instance without user accounts, which ends all sessions; false if it
 * has none.
 */
export async function removePassword(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ started: boolean }>(
      `SELECT to_regclass('auth.instance_access') IS NOT NULL AS started`,
    );
    if (!rows[0]!.started) return false;
    const { rowCount } = await client.query(
      `UPDATE auth.instance_access SET password_hash = NULL, epoch = epoch + 1 WHERE password_hash IS NOT NULL`,
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

/** `./carrel reset-password`, while Carrel is stopped. */
export async function resetPassword(): Promise<void> {
  const release = await claimHome(instanceSettings().home);
  try {
    const backends = await startBackends();
    try {
      applyNetworkSettings(loadConfig(instanceShape, backends.environment));
      say(
        (await removePassword(backends.environment.DATABASE_URL!))
          ? "The password is removed. Start Carrel on this machine only (without CARREL_HOST) and set a new one in Settings > Security"
          : "This instance has no password",
      );
    } finally {
      await backends.stop();
    }
  } finally {
    release();
  }
}
