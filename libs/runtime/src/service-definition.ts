import type { DynamicModule, Type } from "@nestjs/common";
import type { z } from "zod";
import type { ServiceName } from "@carrel/contracts";
import type { ServiceDatabase } from "@carrel/database";
import type { Contracts } from "@carrel/messaging";

/** One service: what it is called, its module, what it keeps, and the variables only it reads. */
export interface ServiceDefinition {
  name: ServiceName;
  module: Type | DynamicModule;
  database?: ServiceDatabase;
  /** Own variables, read beside those of `instanceShape`. */
  shape?: z.ZodRawShape;
  /** Default: the product's (`@carrel/contracts`). Tests bring their own. */
  contracts?: Contracts;
  /** Requests handled at the same time by one replica; default CARREL_CONCURRENCY. */
  concurrency?: number;
}

export const defineService = (definition: ServiceDefinition): ServiceDefinition => definition;
