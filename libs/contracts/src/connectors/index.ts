import { linkContracts } from "./link.ts";
import type { Contracts } from "../registry.ts";

export * from "./link.ts";

export const connectorsServiceContracts: readonly Contracts[] = [linkContracts];
