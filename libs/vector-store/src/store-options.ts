import type { Writer } from "./lance-home.ts";
import type { StoreSettings } from "./store-settings.ts";

export interface StoreOptions {
  settings: StoreSettings;
  /** LanceDB's folder: its vectors, and the text index of stores without one. */
  folder: string;
  /** See `LanceOptions.writer`. */
  writer?: Writer;
  /** See `LanceOptions.memoryBytes`. */
  memoryBytes?: number;
  /** Overrides a vendor's fixed address in tests. */
  baseUrl?: string;
}
