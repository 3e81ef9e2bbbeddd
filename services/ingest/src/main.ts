import { restartWithAllocator } from "@carrel/config";

// Must come before large imports, because a restart would load them twice.
restartWithAllocator();
const [{ runService }, { ingestService }] = await Promise.all([
  import("@carrel/runtime"),
  import("./ingest.service-definition.ts"),
]);
await runService(ingestService);
