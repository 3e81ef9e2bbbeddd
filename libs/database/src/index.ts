export * from "./data-source.ts";
export {
  AnotherSecretError,
  isLoginRefused,
  readFingerprint,
  readOwner,
  recordFingerprint,
  refuseAnotherSecret,
  type InstanceProof,
  type InstanceProofs,
} from "./instance-secret.ts";
export { readLastBackup, recordBackup } from "./last-backup.ts";
export * from "./migrate.ts";
export { OwnerTransfer, ownerTransferMigration } from "./owner-transfer.ts";

export { type LoginWatch, withReservedConnections } from "./reserving-pool.ts";
export * from "./secret-box.ts";
export * from "./service-role.ts";
export { queryEarlyRows, StatementBatches } from "./statement-batches.ts";
