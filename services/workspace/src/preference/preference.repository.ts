import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { managesAll, requireService } from "../access/workspace-rights.ts";
import { ownLabels, preferenceDefinitions } from "./preference-definition.ts";
import { Preference } from "./preference.entity.ts";

const managersOwn: ReadonlySet<string> = new Set([
  ownLabels.logo,
  ownLabels.lightLogo,
  ownLabels.welcomeMessages,
]);

/**
 * Managers may set their five labels, the logo and the welcome messages; anyone signed in may
 * complete onboarding; admins and API keys may set the rest.
 */
export function mayWrite({ principal }: Scope, label: string): boolean {
  if (label === ownLabels.onboarding) return principal.kind !== "public";
  if (!managesAll({ principal, workspace: null })) return false;
  return (
    principal.role === "admin" ||
    principal.kind === "key" ||
    managersOwn.has(label) ||
    preferenceDefinitions.get(label)?.by === "manager"
  );
}

@Injectable()
export class PreferenceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The stored value of a label; undefined if unset. Reading needs no permission, because the
   * label's operation decides who sees it.
   */
  async find(
    _scope: Scope,
    label: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<unknown> {
    return (await manager.findOneBy(Preference, { label }))?.value;
  }

  async list(
    _scope: Scope,
    labels: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, unknown>> {
    const rows =
      labels.length === 0 ? [] : await manager.findBy(Preference, { label: In([...labels]) });
    return new Map(rows.map((row) => [row.label, row.value]));
  }

  /**
   * Takes the daily telemetry report, which only one replica may send: its id, drawn with the first
   * one; null if it isn't due.
   */
  async claimTelemetry(scope: Scope, id: string): Promise<string | null> {
    requireService(scope);
    const rows = await this.dataSource.query<{ id: string }[]>(
      `INSERT INTO workspace.preference (label, value)
      VALUES ($1, jsonb_build_object('id', $2::text))
      ON CONFLICT (label) DO UPDATE SET updated_at = now()
      WHERE preference.updated_at < now() - interval '24 hours'
      RETURNING value->>'id' AS id`,
      [ownLabels.telemetry, id],
    );
    return rows[0]?.id ?? null;
  }

  /**
   * Locks the table until the transaction ends, so that a concurrent writer sees this one's
   * changes.
   */
  async lock(_scope: Scope, manager: EntityManager): Promise<void> {
    await manager.query(`LOCK TABLE workspace.preference IN SHARE ROW EXCLUSIVE MODE`);
  }

  /** null or undefined deletes the preference. */
  async save(scope: Scope, manager: EntityManager, label: string, value: unknown): Promise<void> {
    if (!mayWrite(scope, label)) throw new CarrelError("access.forbidden");
    if (value === null || value === undefined) await manager.delete(Preference, { label });
    else
      await manager.query(
        `INSERT INTO workspace.preference (label, value)
        VALUES ($1, $2)
        ON CONFLICT (label) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`,
        [label, JSON.stringify(value)],
      );
  }
}
