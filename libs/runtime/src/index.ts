export * from "./end-on-signal.ts";
export * from "./infrastructure-module.ts";
export { hashKeyMigration, keptHashKey } from "./kept-hash-key.ts";
export { prepareDatabase, proofsOf } from "./prepare-database.ts";
export * from "./run-service.ts";
export * from "./start-service.ts";
export * from "./trim-when-idle.ts";
export * from "./version.ts";
export * from "./watch-stores.ts";
