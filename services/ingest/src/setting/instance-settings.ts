import {
  liveSyncLabel,
  resolveSettings,
  servicePrincipal,
  settingsChanged,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import type { Chunking } from "../work-pool/work.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** How long settings are cached: changes are broadcast, and this recovers from a lost broadcast. */
const freshMs = 30_000;

export interface VersionedSettings {
  values: Record<string, string>;
  version: number;
}

/** The instance's settings by wire key, with secrets decrypted; cached until they change. */
@Injectable()
export class InstanceSettings implements OnApplicationShutdown {
  private cached: (VersionedSettings & { at: number }) | null = null;
  private loading: Promise<VersionedSettings & { at: number }> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly stop: () => void;

  constructor(
    private readonly client: RequestClient,
    private readonly secretBox: SecretBox,
    broadcast: Broadcast,
  ) {
    const changed = (): void => {
      this.forget();
      for (const listener of this.listeners) listener();
    };
    const stopEvent = broadcast.on(`event:${settingsChanged.name}`, changed);
    const stopGap = broadcast.onGap(changed);
    this.stop = () => {
      stopEvent();
      stopGap();
    };
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  async get(): Promise<Record<string, string>> {
    return (await this.current()).values;
  }

  /** `version` grows with every change to the settings. */
  async current(): Promise<VersionedSettings> {
    if (this.cached && Date.now() - this.cached.at < freshMs) return this.cached;
    const loading = (this.loading ??= this.load()
      .then((loaded) => {
        // What was read before a change is not kept after it.
        if (this.loading === loading) this.cached = loaded;
        return loaded;
      })
      .finally(() => {
        if (this.loading === loading) this.loading = null;
      }));
    // Falls back to the last known settings while the workspace service is down.
    return loading.catch((fault: unknown) => {
      if (this.cached) return this.cached;
      throw fault;
    });
  }

  /** Whether live sync is on. */
  async isSyncing(): Promise<boolean> {
    return (await this.get())[liveSyncLabel] === "true";
  }

  /** Makes the next read ask the workspace service. */
  forget(): void {
    this.cached = null;
    this.loading = null;
  }

  /**
   * Chunk size and overlap from the settings, in characters, limited to what the embedder accepts.
   */
  async chunking(embedderMaximum: number | null): Promise<Chunking> {
    const values = await this.get();
    const wanted = Math.trunc(Number(values.text_splitter_chunk_size)) || 1000;
    const size = Math.max(16, Math.min(wanted, embedderMaximum ?? Infinity, 100_000));
    const overlap =
      values.text_splitter_chunk_overlap === undefined
        ? 20
        : Math.trunc(Number(values.text_splitter_chunk_overlap)) || 0;
    return {
      size,
      overlap: Math.max(0, Math.min(overlap, Math.floor(size / 2))),
      ...(embedderMaximum === null ? {} : { maximum: embedderMaximum }),
    };
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  private async load(): Promise<VersionedSettings & { at: number }> {
    const { values, secrets, version } = await this.client.request(resolveSettings, {}, { scope });
    const opened: Record<string, string> = { ...values };
    for (const [key, sealed] of Object.entries(secrets)) {
      try {
        opened[key] = this.secretBox.open(sealed);
      } catch (fault) {
        // Sealed with another instance secret: treat the setting as unset, and let the provider
        // report it by name.
        if (!(fault instanceof SecretUnreadableError)) throw fault;
      }
    }
    return { values: opened, version, at: Date.now() };
  }
}
