import type { KnownFault, ProviderDeclaration, SettingField } from "@carrel/contracts";
import type { Writer } from "./lance-home.ts";
import type { VectorDriver } from "./vector-driver.ts";
import { VectorStoreError, type VectorStore } from "./vector-store.ts";

/**
 * Values by setting key (wire-contract.md 11.3), secrets decrypted. May include keys of other
 * settings.
 */
export type StoreSettings = Readonly<Record<string, string>>;

const invalid = (fault: KnownFault): VectorStoreError =>
  new VectorStoreError(fault, { isRetryable: false });

/** A setting that a store may lack, and the fault that says so. */
type NeededValue =
  | "address"
  | "connection-string"
  | "database-name"
  | "index-name"
  | "key"
  | "tenant"
  | "token";

/** The settings as read by one store. */
export class StoreValues {
  constructor(
    private readonly store: string,
    private readonly settings: StoreSettings,
  ) {}

  find(key: string): string | undefined {
    return this.settings[key]?.trim() || undefined;
  }

  /** Throws VectorStoreError if there is no value; `what` names what is missing. */
  get(key: string, what: NeededValue): string {
    const value = this.find(key);
    if (value === undefined)
      throw invalid({ code: `vector-store.${what}-missing`, params: { store: this.store } });
    return value;
  }

  /** Without a trailing slash; '' when unset. */
  findAddress(key: string): string {
    return (this.find(key) ?? "").replace(/\/+$/, "");
  }

  /** An http(s) address without a trailing slash. Throws VectorStoreError. */
  getAddress(key: string): string {
    const text = this.get(key, "address");
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
      throw invalid({
        code: "vector-store.address-invalid",
        params: { store: this.store, address: text },
      });
    return text.replace(/\/+$/, "");
  }
}

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
   * What identifies the place of the vectors, in addition to the store's id. These names are stored
   * with every index, so their format must not change and they must contain no secret.
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
