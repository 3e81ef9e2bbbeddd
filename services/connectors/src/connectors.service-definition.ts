import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { connectorsShape } from "./connectors.config.ts";
import { connectorsDatabase } from "./connectors.database.ts";
import { ConnectorsModule } from "./connectors.module.ts";

/** The service that turns external sources into documents. */
export const connectorsService: ServiceDefinition = defineService({
  name: "connectors",
  module: ConnectorsModule,
  database: connectorsDatabase,
  shape: connectorsShape,
});
