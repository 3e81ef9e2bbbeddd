import type { IndexTarget } from "@carrel/contracts";
import type { SearchIndex, Target } from "./search-index.ts";

export const mapTarget = (index: SearchIndex | Target): IndexTarget => ({
  engine: index.engine,
  model: index.model,
  dimensions: index.dimensions,
  vectorDatabase: index.vectorDatabase,
});
