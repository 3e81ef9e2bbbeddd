import type { KnownFault, SettingField } from "@carrel/contracts";
import { ProviderError } from "./spec/provider-error.ts";

/** Values by setting key, secrets decrypted. */
export type Settings = Readonly<Record<string, string>>;

const missing = {
  secret: "provider.key-missing",
  url: "provider.address-missing",
  model: "provider.model-missing",
  text: "provider.settings-incomplete",
  number: "provider.settings-incomplete",
  select: "provider.settings-incomplete",
} as const satisfies Record<SettingField["kind"], KnownFault["code"]>;

/** The settings of one vendor's form; unset fields fall back to their declared defaults. */
export class SettingValues {
  constructor(
    private readonly vendor: string,
    private readonly fields: readonly SettingField[],
    private readonly settings: Settings,
  ) {}

  find(key: string): string | undefined {
    const fallback = this.field(key).default;
    return (
      this.settings[key]?.trim() ||
      (fallback === undefined ? undefined : String(fallback) || undefined)
    );
  }

  /** Throws ProviderError 'invalid' if there is no value. */
  get(key: string): string {
    const value = this.find(key);
    if (value === undefined)
      throw new ProviderError(
        { code: missing[this.field(key).kind], params: { vendor: this.vendor } },
        { kind: "invalid" },
      );
    return value;
  }

  /** As stored, including surrounding spaces. */
  getExact(key: string): string {
    return this.settings[key] ?? "";
  }

  /** A positive number; anything else falls back to the default. */
  findNumber(key: string): number | undefined {
    const value = Number(this.settings[key]?.trim() || Number.NaN);
    if (Number.isFinite(value) && value > 0) return value;
    const fallback = this.field(key).default;
    return fallback === undefined ? undefined : Number(fallback);
  }

  /** For fields that declare a default. */
  getNumber(key: string): number {
    const value = this.findNumber(key);
    if (value === undefined) throw new TypeError(`${key} declares no default`);
    return value;
  }

  private field(key: string): SettingField {
    const field = this.fields.find((candidate) => candidate.key === key);
    if (field === undefined) throw new TypeError(`${this.vendor} declares no field ${key}`);
    return field;
  }
}
