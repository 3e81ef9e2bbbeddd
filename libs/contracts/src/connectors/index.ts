import type { Contracts } from "../operation.ts";
import { importContracts } from "./import.ts";
import { linkContracts } from "./link.ts";

export * from "./import.ts";
export * from "./link.ts";

export const connectorsServiceContracts: readonly Contracts[] = [importContracts, linkContracts];
