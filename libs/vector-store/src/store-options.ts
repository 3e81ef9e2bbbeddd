import type { Writer } from "./lance-store.ts";
import type { StoreSettings } from "./store-settings.ts";

export interface StoreOptions {
  settings: StoreSettings;
  /** LanceDB's folder: vectors of LanceDB, and the text index of stores without their own. */
  folder: string;
  /** As `LanceOptions.writer`. */
  writer?: Writer;
  /** Replaces the address of a vendor whose address is not a setting (tests). */
  baseUrl?: string;
}
