import type { ServiceName } from "@carrel/contracts";
import type { ServiceDatabase } from "@carrel/database";
import type { Contracts } from "@carrel/messaging";
import type { DynamicModule, Type } from "@nestjs/common";
import type { z } from "zod";

/** One service: its name, module, database and the variables only it reads. */
export interface ServiceDefinition {
  name: ServiceName;
  module: Type | DynamicModule;
  database?: ServiceDatabase;
  /** The service's own variables, read in addition to those of `instanceShape`. */
  shape?: z.ZodRawShape;
  /** Defaults to those of `@carrel/contracts`; tests supply their own. */
  contracts?: Contracts;
  /** Maximum number of concurrent requests per replica; default CARREL_CONCURRENCY. */
  concurrency?: number;
}

export const defineService = (definition: ServiceDefinition): ServiceDefinition => definition;
