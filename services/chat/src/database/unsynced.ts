/**
 * In the RETURNING list of a statement outside a transaction: its commit doesn't wait for the disk. A
 * crash of PostgreSQL may lose it, a crash of ours doesn't.
 */
export const unsynced = "(SELECT set_config('synchronous_commit', 'off', true))";
