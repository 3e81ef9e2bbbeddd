import type { Contracts } from "../operation.ts";
import { connectionRunContracts } from "./connection-run.ts";
import { connectionContracts } from "./connection.ts";
import { connectorFormContracts } from "./connector-form.ts";
import { hubSettingContracts } from "./hub-setting.ts";
import { hubContracts } from "./hub.ts";
import { linkContracts } from "./link.ts";
import { repositoryImportContracts } from "./repository-import.ts";
import { sourceSyncContracts } from "./source-sync.ts";
import { vaultImportContracts } from "./vault-import.ts";
import { wikiImportContracts } from "./wiki-import.ts";
import { wireImportContracts } from "./wire-import.ts";

export * from "./connection-run-wire.ts";
export * from "./connection-run.ts";
export * from "./connection.ts";
export * from "./connector-form.ts";
export * from "./hub-item.ts";
export * from "./hub-setting.ts";
export * from "./hub.ts";
export * from "./link.ts";
export * from "./source-sync.ts";
export * from "./repository-address.ts";
export * from "./repository-import.ts";
export * from "./vault-import.ts";
export * from "./wiki-import.ts";
export * from "./wire-import.ts";

export const connectorsServiceContracts: readonly Contracts[] = [
  connectionContracts,
  connectionRunContracts,
  connectorFormContracts,
  hubContracts,
  hubSettingContracts,
  linkContracts,
  sourceSyncContracts,
  repositoryImportContracts,
  vaultImportContracts,
  wikiImportContracts,
  wireImportContracts,
];
