import { restartWithAllocator } from "@carrel/config";

// Before anything large is loaded, as it would be loaded twice.
restartWithAllocator();
const [{ runService }, { ingestService }] = await Promise.all([
  import("@carrel/runtime"),
  import("./index.ts"),
]);
await runService(ingestService);
