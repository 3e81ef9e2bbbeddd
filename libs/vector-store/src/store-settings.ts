import type { KnownFault } from "@carrel/contracts";
import { VectorStoreError } from "./vector-store.ts";

/**
 * Values by setting key (wire-contract.md 11.3), secrets decrypted. May include keys of other
 * settings.
 */
export type StoreSettings = Readonly<Record<string, string>>;

const invalid = (fault: KnownFault): VectorStoreError =>
  new VectorStoreError(fault, { isRetryable: false });

/** A setting that a store may lack; names the fault. */
export type NeededValue =
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
