import { secretString, type Secret } from "@carrel/config";
import {
  CarrelError,
  clipText,
  providerChoiceKeys,
  renderFault,
  settingsChanged,
  type KnownFault,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { VectorStoreError, checkVectorStore, triedSettings } from "@carrel/vector-store";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import { EventLog } from "../event/event.repository.ts";
import {
  defaultSetting,
  refusedKeys,
  secretOrigins,
  settingAliases,
  settingKinds,
  validateSetting,
  type EffectiveSettings,
} from "./setting-definition.ts";
import { Setting } from "./setting.entity.ts";

const prefix = "CARREL_SETTING_";

const presetField = (key: string, kind: "plain" | "secret"): z.ZodType => {
  const checked = z.string().superRefine((value, context) => {
    const fault = validateSetting(key, value);
    if (fault !== null) context.addIssue({ code: "custom", message: renderFault(fault) });
  });
  return (kind === "secret" ? checked.pipe(secretString) : checked).optional();
};

/**
 * `CARREL_SETTING_<Key>` presets and locks one setting; an invalid value prevents startup, like any
 * other invalid variable.
 */
export const presetShape: z.ZodRawShape = Object.fromEntries(
  [...settingKinds].map(([key, kind]) => [prefix + key, presetField(key, kind)]),
);

/** Presets from this process's environment, by setting key. */
function readPresets(config: Record<string, unknown>): Map<string, string> {
  const presets = new Map<string, string>();
  for (const key of settingKinds.keys()) {
    const value = config[prefix + key];
    if (typeof value === "string") presets.set(key, value);
    else if (value !== undefined && value !== null) presets.set(key, (value as Secret).reveal());
  }
  return presets;
}

/** Only services and admins may access settings; repeats their operations' policies. */
function requireAdmin(scope: Scope): void {
  if (scope.principal.role !== "admin") throw new CarrelError("access.forbidden");
}

@Injectable()
export class SettingRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(scope: Scope, manager: EntityManager = this.dataSource.manager): Promise<Setting[]> {
    requireAdmin(scope);
    return manager.find(Setting, { order: { key: "ASC" } });
  }

  /**
   * Locks the table until the transaction ends, so that concurrent updates are planned one after
   * the other.
   */
  async lock(scope: Scope, manager: EntityManager): Promise<void> {
    requireAdmin(scope);
    await manager.query(`LOCK TABLE workspace.setting IN SHARE ROW EXCLUSIVE MODE`);
  }

  /**
   * Deletes the setting if both are null, but keeps the row so that the version never decreases.
   */
  async save(
    scope: Scope,
    manager: EntityManager,
    key: string,
    content: { value: string | null; sealed: string | null },
  ): Promise<void> {
    requireAdmin(scope);
    await manager.query(
      `INSERT INTO workspace.setting (key, value, sealed)
      VALUES ($1, $2, $3)
      ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, sealed = EXCLUDED.sealed,
        version = EXCLUDED.version, updated_at = now()`,
      [key, content.value, content.sealed],
    );
  }
}

interface SettingPlan {
  /** New text by key, in the order given; null deletes the setting. */
  changes: Map<string, string | null>;
  /** Keys, as the client named them, that were accepted, changed or not. */
  accepted: string[];
  /** Why the first refused key was refused; earlier keys are in `changes`. */
  fault: KnownFault | null;
}

interface PlanInput {
  /** The values sent, in the client's order; null unsets a setting, even a required one. */
  values: Readonly<Record<string, string | null>>;
  current: EffectiveSettings;
  locked: ReadonlySet<string>;
  validate: (key: string, value: string) => KnownFault | null;
}

/** Clients send back what they were shown: a mask, or for a secret only whether it is set. */
const isEchoed = (key: string, value: string | null): boolean =>
  value !== null &&
  (value.includes("******") ||
    (settingKinds.get(key) === "secret" && ["true", "false"].includes(value.trim())));

/**
 * Plans a settings update by the rules of wire-contract 2.2: it stops at the first refused key, and
 * earlier ones are saved. Unknown keys are ignored beside known ones, because forms send settings
 * of products and versions that this isn't.
 */
export function planSettingUpdate({ values, current, locked, validate }: PlanInput): SettingPlan {
  const plan: SettingPlan = { changes: new Map(), accepted: [], fault: null };
  for (const [sent, value] of Object.entries(values)) {
    const key = settingAliases.get(sent) ?? sent;
    if (key !== sent && values[key] !== undefined) continue;
    if (refusedKeys.has(key)) {
      plan.fault = { code: "setting.fixed" };
      break;
    }
    const kind = settingKinds.get(key);
    if (kind === undefined || isEchoed(key, value)) continue;
    const text = value?.trim() ?? "";
    const isUnchanged =
      kind === "plain" &&
      (value === null ? defaultSetting(key) : text) === effectiveValue(current, key);
    if (locked.has(key) && !isUnchanged) {
      plan.fault = { code: "setting.locked", params: { setting: key } };
      break;
    }
    plan.fault = value === null ? null : validate(key, text);
    if (plan.fault !== null) break;
    plan.accepted.push(sent);
    if (!locked.has(key)) plan.changes.set(key, text === "" ? null : text);
  }
  plan.fault ??= findUnsupported(Object.keys(values));
  for (const key of listStrayedSecrets(plan.changes, current, locked)) plan.changes.set(key, null);
  return plan;
}

const isKnown = (key: string): boolean =>
  refusedKeys.has(key) || settingKinds.has(key) || settingAliases.has(key);

/** A success would claim that something was saved where all keys are unknown. */
function findUnsupported(keys: readonly string[]): KnownFault | null {
  if (keys.length === 0 || keys.some(isKnown)) return null;
  const settings = keys
    .map((key) => clipText(key, 64))
    .slice(0, 10)
    .join(", ");
  return { code: "setting.unsupported", params: { settings } };
}

const effectiveValue = (current: EffectiveSettings, key: string): string =>
  current.values.get(key) ?? defaultSetting(key);

/**
 * A stored secret is only ever sent to the origins it was saved for, so secrets whose address moves
 * are deleted unless they are sent along.
 */
function listStrayedSecrets(
  changes: ReadonlyMap<string, string | null>,
  current: EffectiveSettings,
  locked: ReadonlySet<string>,
): string[] {
  const before = (key: string): string => effectiveValue(current, key);
  const after = (key: string): string =>
    changes.has(key) ? (changes.get(key) ?? defaultSetting(key)) : before(key);
  return [...current.secrets.keys()].filter((secret) => {
    if (changes.has(secret) || locked.has(secret)) return false;
    const known = secretOrigins(secret, before);
    return [...secretOrigins(secret, after)].some((origin) => !known.has(origin));
  });
}

/** Events of the wire for chosen providers (wire-contract 2.2), by setting key. */
const choiceEvents: Readonly<Record<string, string>> = {
  [providerChoiceKeys.language]: "update_llm_provider",
  [providerChoiceKeys.embedding]: "update_embedding_engine",
  [providerChoiceKeys.vector]: "update_vector_db",
};

/** The providers that an update chooses; null: the default. */
function listChoices(
  { changes }: SettingPlan,
  { values }: EffectiveSettings,
): { event: string; provider: string | null }[] {
  return Object.entries(choiceEvents).flatMap(([key, event]) => {
    const provider = changes.get(key);
    if (provider === undefined || provider === (values.get(key) ?? null)) return [];
    return [{ event, provider }];
  });
}

/** Effective settings: PostgreSQL's rows, overridden by presets from the environment. */
@Injectable()
export class SettingStore {
  private readonly presets: ReadonlyMap<string, string>;
  private readonly sealedPresets: ReadonlyMap<string, string>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: SettingRepository,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
    private readonly box: SecretBox,
    private readonly log: EventLog,
    @Inject(CONFIG) config: Record<string, unknown>,
  ) {
    this.presets = readPresets(config);
    this.sealedPresets = new Map(
      [...this.presets]
        .filter(([key]) => settingKinds.get(key) === "secret")
        .map(([key, value]) => [key, box.seal(value)]),
    );
  }

  get locked(): ReadonlySet<string> {
    return new Set(this.presets.keys());
  }

  async read(scope: Scope): Promise<EffectiveSettings & { version: number }> {
    return this.merge(await this.settings.list(scope));
  }

  /** All effective settings with secrets decrypted, for requesting models from a vendor. */
  async readOpened(scope: Scope): Promise<Map<string, string>> {
    const settings = await this.read(scope);
    return new Map([
      ...settings.values,
      ...[...settings.secrets].map(([key, sealed]) => [key, this.box.open(sealed)] as const),
    ]);
  }

  async update(scope: Scope, values: Record<string, string | null>): Promise<SettingPlan> {
    // Checked before the transaction, because an unresponsive server takes seconds to time out.
    const dead = await findDeadSettings(
      Object.fromEntries(
        Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
    );
    const done = await this.dataSource.transaction(async (manager) => {
      await this.settings.lock(scope, manager);
      const current = this.merge(await this.settings.list(scope, manager));
      const plan = planSettingUpdate({
        values,
        current,
        locked: this.locked,
        validate: (key, text) => validateSetting(key, text) ?? dead.get(key) ?? null,
      });
      for (const [key, text] of plan.changes) {
        const isSecret = settingKinds.get(key) === "secret";
        await this.settings.save(scope, manager, key, {
          value: isSecret ? null : text,
          sealed: isSecret && text !== null ? this.box.seal(text) : null,
        });
      }
      if (plan.changes.size > 0) {
        for (const { event, provider } of listChoices(plan, current))
          await this.log.record(manager, scope, event, { provider });
        await this.log.record(manager, scope, "setting_changed", {
          keys: [...plan.changes.keys()],
        });
        await this.outbox.add(
          manager,
          eventMessage(settingsChanged, { keys: [...plan.changes.keys()] }),
        );
      }
      return plan;
    });
    if (done.changes.size > 0)
      await this.broadcast.invalidate(settingsChanged, { keys: [...done.changes.keys()] });
    return done;
  }

  /**
   * Restores previous settings, with secrets still sealed. If any of them is locked to a different
   * value by the environment, changes nothing and returns the locked keys.
   */
  async restore(
    scope: Scope,
    values: ReadonlyMap<string, string | null>,
    secrets: ReadonlyMap<string, string | null>,
  ): Promise<string[]> {
    const plain = [...values].filter(([key]) => settingKinds.get(key) === "plain");
    const sealed = [...secrets]
      .filter(([key]) => settingKinds.get(key) === "secret")
      .map(
        ([key, text]) =>
          [key, text === null ? null : { sealed: text, opened: this.box.open(text) }] as const,
      );
    const locked = [
      ...plain.filter(([key, value]) => this.presets.has(key) && this.presets.get(key) !== value),
      ...sealed.filter(
        ([key, secret]) => this.presets.has(key) && this.presets.get(key) !== secret?.opened,
      ),
    ].map(([key]) => key);
    if (locked.length > 0) return locked;
    const changes = [
      ...plain.map(([key, value]) => ({ key, value, sealed: null as string | null })),
      ...sealed.map(([key, secret]) => ({ key, value: null, sealed: secret?.sealed ?? null })),
    ].filter(({ key }) => !this.presets.has(key));
    const keys = changes.map(({ key }) => key);
    if (keys.length === 0) return [];
    await this.dataSource.transaction(async (manager) => {
      await this.settings.lock(scope, manager);
      for (const { key, ...content } of changes)
        await this.settings.save(scope, manager, key, content);
      await this.log.record(manager, scope, "setting_changed", { keys });
      await this.outbox.add(manager, eventMessage(settingsChanged, { keys }));
    });
    await this.broadcast.invalidate(settingsChanged, { keys });
    return [];
  }

  private merge(rows: Setting[]): EffectiveSettings & { version: number } {
    const values = new Map<string, string>();
    const secrets = new Map<string, string>();
    for (const row of rows) {
      if (row.value !== null) values.set(row.key, row.value);
      if (row.sealed !== null) secrets.set(row.key, row.sealed);
    }
    for (const [key, value] of this.presets)
      if (settingKinds.get(key) === "plain") values.set(key, value);
    for (const [key, sealed] of this.sealedPresets) secrets.set(key, sealed);
    return {
      values,
      secrets,
      version: rows.reduce((highest, row) => Math.max(highest, Number(row.version)), 0),
    };
  }
}

/**
 * Checks settings that must work before they are saved (wire-contract.md 11.3: PostgreSQL's
 * connection string) and returns what is wrong with each that doesn't. Makes no request if none
 * of them is among the values.
 */
export async function findDeadSettings(
  values: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, KnownFault>> {
  const faults = new Map<string, KnownFault>();
  for (const [key, store] of triedSettings) {
    const text = values[key]?.trim();
    if (!text || text.includes("******") || validateSetting(key, text) !== null) continue;
    try {
      await checkVectorStore({
        settings: { ...values, [providerChoiceKeys.vector]: store, [key]: text },
        folder: "",
      });
    } catch (fault) {
      if (!(fault instanceof VectorStoreError)) throw fault;
      faults.set(key, fault.fault);
    }
  }
  return faults;
}
