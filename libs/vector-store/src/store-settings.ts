import { VectorStoreError } from "./vector-store.ts";

/**
 * Values by setting key (wire-contract.md 11.3), secrets decrypted. May include keys of other
 * settings.
 */
export type StoreSettings = Readonly<Record<string, string>>;

const invalid = (message: string): VectorStoreError =>
  new VectorStoreError(message, { isRetryable: false });

/** The settings as one store reads them. */
export class StoreValues {
  constructor(
    private readonly store: string,
    private readonly settings: StoreSettings,
  ) {}

  find(key: string): string | undefined {
    return this.settings[key]?.trim() || undefined;
  }

  /** Throws VectorStoreError if there is no value; `what` describes what is missing. */
  get(key: string, what: string): string {
    const value = this.find(key);
    if (value === undefined) throw invalid(`${this.store} needs ${what}. Set it in the settings.`);
    return value;
  }

  /** Without a trailing slash; '' when unset. */
  findAddress(key: string): string {
    return (this.find(key) ?? "").replace(/\/+$/, "");
  }

  /** An http(s) address without a trailing slash. Throws VectorStoreError. */
  getAddress(key: string): string {
    const text = this.get(key, "an address");
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
      throw invalid(`Not an address of ${this.store}: ${text}`);
    return text.replace(/\/+$/, "");
  }
}
