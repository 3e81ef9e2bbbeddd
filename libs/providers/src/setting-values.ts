import type { KnownFault, SettingField } from "@carrel/contracts";
import { ProviderError } from "./spec/provider-error.ts";

const known =
  /^(accept|content-type|authorization|x-api-key|anthropic-(version|beta)|user-agent|idempotency-key|x-stainless-.+)$/;

/**
 * Passes on only the headers that the vendors' protocols need, and sets those in `own`; null
 * removes one. The SDKs also send whatever OPENAI_CUSTOM_HEADERS, ANTHROPIC_CUSTOM_HEADERS and
 * OLLAMA_API_KEY contain, with no option to disable that, but only the settings may decide what is
 * sent.
 */
export function withOwnHeaders(
  send: typeof fetch,
  own: Readonly<Record<string, string | null>>,
): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const name of [...headers.keys()]) if (!known.test(name)) headers.delete(name);
    for (const [name, value] of Object.entries(own)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return send(input, { ...init, headers });
  };
}

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

/** Throws ProviderError 'invalid' for anything but an http(s) address. */
export function readOrigin(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new ProviderError({ code: "provider.address-invalid" }, { kind: "invalid" });
  return new URL(baseUrl).origin;
}
