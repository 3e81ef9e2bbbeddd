import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { ingestShape } from "./ingest.config.ts";
import { ingestDatabase } from "./ingest.database.ts";
import { IngestModule } from "./ingest.module.ts";

/** The document service: parsing, indexing, embedding and search. */
export const ingestService: ServiceDefinition = defineService({
  name: "ingest",
  module: IngestModule,
  database: ingestDatabase,
  shape: ingestShape,
});
