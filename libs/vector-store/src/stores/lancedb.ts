import type { Store } from "./store.ts";

export const lanceDb: Store = {
  id: "lancedb",
  name: "LanceDB",
  group: "builtin",
  fields: [],
  place: () => [],
  open: async (_values, options) => (await import("../paired-store.ts")).openSharedLance(options),
};
