import type { DataSource, EntityManager } from "typeorm";

/** Runs statements as someone who owns the database: past the triggers that guard the log. */
export const asOwner = <T>(
  sql: DataSource,
  run: (manager: EntityManager) => Promise<T>,
): Promise<T> =>
  sql.transaction(async (manager) => {
    await manager.query("SET LOCAL session_replication_role = replica");
    return run(manager);
  });

/** Empties the log, so that it starts over. */
export const emptyLog = (sql: DataSource): Promise<void> =>
  asOwner(sql, async (manager) => {
    await manager.query("DELETE FROM workspace.event_log");
    await manager.query("DELETE FROM workspace.event_checkpoint");
    await manager.query("DELETE FROM workspace.event_anchor WHERE sequence > 0");
    await manager.query(
      `UPDATE workspace.event_chain
      SET sequence = 0, hash = sha256(convert_to('carrel-event-log-v1' || E'\\n' || instance, 'UTF8'))`,
    );
  });
