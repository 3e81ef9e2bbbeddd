export { ingestService } from "./ingest.service-definition.ts";
