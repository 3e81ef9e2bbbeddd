import type { ProviderDeclaration, SettingField } from "@carrel/contracts";
import type { StoreOptions } from "../store-options.ts";
import type { StoreValues } from "../store-settings.ts";
import type { VectorDriver } from "../vector-driver.ts";
import type { VectorStore } from "../vector-store.ts";

interface StoreBase {
  readonly id: string;
  readonly name: string;
  readonly group: ProviderDeclaration["group"];
  readonly keyUrl?: string;
  readonly fields: readonly SettingField[];
  /** The variable that may set each of these settings; without the first, none apply. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A setting tested against the server before it is saved (wire-contract.md 11.3). */
  readonly triedSetting?: string;
  /**
   * What identifies the place of the vectors besides the id. These names are stored with every
   * index, so their format must not change and they must contain no secret.
   */
  place(values: StoreValues): string[];
}

/** Stores vectors and text. */
interface FullStore extends StoreBase {
  open(values: StoreValues, options: StoreOptions): Promise<VectorStore>;
}

/** Stores vectors only; the text index is LanceDB's. */
interface VectorOnlyStore extends StoreBase {
  openDriver(values: StoreValues, options: StoreOptions): Promise<VectorDriver>;
}

/**
 * Everything Carrel knows about one vector store (wire-contract.md 11.3). Clients are loaded when a
 * store is opened: LanceDB alone takes about 50 MB.
 */
export type Store = FullStore | VectorOnlyStore;
