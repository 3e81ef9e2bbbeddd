import {
  CarrelError,
  builtInSystemPrompt,
  fallbackModels,
  fallbackModelsLabel,
  findModelOverride,
  getAgentSettings,
  getWorkspaceSettings,
  readModelOverrides,
  resolveSettings,
  servicePrincipal,
  settingsChanged,
  workspaceDeleted,
  workspaceUpdated,
  type AgentSettings,
  type AnswerParameters,
  type FallbackModels,
  type Out,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { findPrice, type ModelPrice } from "@carrel/providers";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";

/**
 * Instance settings with their secrets encrypted: those are decrypted only for the provider that
 * needs them.
 */
export interface InstanceSettings {
  version: number;
  values: Record<string, string>;
  secrets: Record<string, string>;
}

/**
 * How long a setting may be stale if its broadcast was lost; a broadcast invalidates it at once.
 */
const timeToLive = 5_000;

/** Caches settings of workspaces and of the instance until they change. */
@Injectable()
export class SettingsCache implements OnApplicationShutdown {
  private readonly workspaces = new LRUCache<number, Promise<Out<typeof getWorkspaceSettings>>>({
    max: 1_000,
    ttl: timeToLive,
  });
  private readonly agents = new LRUCache<number, Promise<AgentSettings>>({
    max: 1_000,
    ttl: timeToLive,
  });
  private readonly instance = new LRUCache<"instance", Promise<InstanceSettings>>({
    max: 1,
    ttl: timeToLive,
  });
  private readonly stops: (() => void)[];

  constructor(
    private readonly requests: RequestClient,
    broadcast: Broadcast,
    private readonly secretBox: SecretBox,
  ) {
    const dropWorkspace = (payload: unknown): void => {
      const id = (payload as { workspaceId?: unknown } | null)?.workspaceId;
      for (const cache of [this.workspaces, this.agents])
        if (typeof id === "number") cache.delete(id);
        else cache.clear();
    };
    this.stops = [
      broadcast.on(`event:${workspaceUpdated.name}`, dropWorkspace),
      broadcast.on(`event:${workspaceDeleted.name}`, dropWorkspace),
      broadcast.on(`event:${settingsChanged.name}`, () => {
        this.instance.clear();
        // Workspaces without a system prompt inherit the instance's.
        this.workspaces.clear();
        this.agents.clear();
      }),
      broadcast.onGap(() => {
        this.workspaces.clear();
        this.agents.clear();
        this.instance.clear();
      }),
    ];
  }

  /** Throws the workspace service's CarrelError. */
  async getWorkspace(scope: WorkspaceScope): Promise<WorkspaceWire> {
    return (await this.load(scope)).workspace;
  }

  /**
   * Returns the workspace's own system prompt, else the instance's, else the built-in one. Throws
   * like `getWorkspace`.
   */
  async getSystemPrompt(scope: WorkspaceScope): Promise<string> {
    const { workspace, defaultPrompt } = await this.load(scope);
    return (
      [workspace.openAiPrompt, defaultPrompt].find(
        (prompt) => typeof prompt === "string" && prompt.trim() !== "",
      ) ?? builtInSystemPrompt
    );
  }

  /** The workspace's own list of models that answer when its model can't, else the instance's. */
  async getFallbackModels(scope: WorkspaceScope): Promise<FallbackModels> {
    const [{ fallbackModels: own }, { values }] = await Promise.all([
      this.load(scope),
      this.getInstance(),
    ]);
    const kept = values[fallbackModelsLabel];
    return own ?? (kept === undefined ? [] : fallbackModels.parse(JSON.parse(kept)));
  }

  /** Answer parameters of the workspace's model; missing ones are left to the model. */
  async getParameters(scope: WorkspaceScope): Promise<AnswerParameters> {
    return (await this.load(scope)).parameters ?? {};
  }

  /** How agents work in the workspace, with secrets. Throws like `getWorkspace`. */
  getAgentSettings(scope: WorkspaceScope): Promise<AgentSettings> {
    return this.remember(this.agents, scope.workspace.id, () =>
      this.requests.request(getAgentSettings, {}, { scope }),
    );
  }

  getInstance(): Promise<InstanceSettings> {
    return this.remember(this.instance, "instance", () =>
      this.requests.request(
        resolveSettings,
        {},
        { scope: { principal: servicePrincipal, workspace: null } },
      ),
    );
  }

  /**
   * Returns one provider's settings by wire key, with secrets decrypted. Throws SETTING_REFUSED if
   * one can't be read.
   */
  openSettings(settings: InstanceSettings, keys: ReadonlySet<string>): Record<string, string> {
    const opened: Record<string, string> = {};
    for (const [key, value] of Object.entries(settings.values))
      if (keys.has(key)) opened[key] = value;
    for (const [key, sealed] of Object.entries(settings.secrets)) {
      if (!keys.has(key)) continue;
      try {
        opened[key] = this.secretBox.open(sealed);
      } catch (cause) {
        throw new CarrelError("setting.secret-unreadable", { setting: key }, { cause });
      }
    }
    return opened;
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  private load(scope: WorkspaceScope): Promise<Out<typeof getWorkspaceSettings>> {
    return this.remember(this.workspaces, scope.workspace.id, () =>
      this.requests.request(getWorkspaceSettings, {}, { scope }),
    );
  }

  /** Concurrent callers share one request; failures are not cached. */
  private remember<Key extends number | string, Value>(
    cache: LRUCache<Key, Promise<Value>>,
    key: Key,
    load: () => Promise<Value>,
  ): Promise<Value> {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const loading = load();
    cache.set(key, loading);
    loading.catch(() => {
      if (cache.peek(key) === loading) cache.delete(key);
    });
    return loading;
  }
}

/** Returns null if the price of a model isn't known. */
export type PriceLookup = (provider: string, model: string) => ModelPrice | null;

/** Prefers an admin's prices, even for models that are otherwise free, to the catalogue's. */
export function readPrices(values: Readonly<Record<string, string>>): PriceLookup {
  const overrides = readModelOverrides(values);
  if (overrides.length === 0) return findPrice;
  return (provider, model) => {
    const known = findPrice(provider, model);
    const own = findModelOverride(overrides, provider, model);
    if (own === undefined) return known;
    const { input, cachedInput = input, output, characters, audioMinutes } = own;
    const prices = {
      ...known,
      ...(input !== undefined && { input, cachedInput, output }),
      ...(characters !== undefined && { characters }),
      ...(audioMinutes !== undefined && { audioMinutes }),
    };
    return Object.keys(prices).length === 0 ? null : (prices as ModelPrice);
  };
}
