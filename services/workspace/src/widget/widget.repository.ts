import { CarrelError, clipText, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService, rowIds } from "../access/workspace-rights.ts";
import { Workspace } from "../workspace/workspace.entity.ts";
import { Widget } from "./widget.entity.ts";

/**
 * Reads a list of allowed origins as existing clients send it (wire-contract 8.1): separated by
 * commas, `https://` if there is no scheme, invalid addresses dropped. Throws if nothing is left of
 * a list, because an empty one opens the widget to any site.
 */
export function readAllowlist(given: string | readonly string[] | null): string[] {
  const list = typeof given === "string" ? given.split(",") : (given ?? []);
  const entries = list.map((entry) => entry.trim()).filter((entry) => entry !== "");
  const origins = entries.flatMap((entry) => readOrigin(entry) ?? []);
  if (entries.length > 0 && origins.length === 0)
    throw new CarrelError("widget.sites-invalid", { entries: clipText(entries.join(", "), 200) });
  return [...new Set(origins)];
}

function readOrigin(entry: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry) ? entry : `https://${entry}`;
  if (!URL.canParse(address)) return null;
  const { protocol, origin, hostname } = new URL(address);
  // Origins are compared exactly, so a pattern would never match. Other signs end a policy's source.
  const isUsable = /^https?:$/.test(protocol) && /^[\w.:[\]-]+$/.test(hostname);
  return isUsable ? origin : null;
}

export interface Visit {
  origin: string | null;
  isOwnPage: boolean;
}
interface Rule {
  origins: readonly string[];
  allowAnyOrigin: boolean;
}

/** Allowed origins; null: any. `requiresList`: an empty list never means any. */
export const allowedOrigins = (rule: Rule, requiresList: boolean): readonly string[] | null =>
  rule.origins.length === 0 && rule.allowAnyOrigin && !requiresList ? null : rule.origins;

export function isAllowed(rule: Rule, visit: Visit, requiresList: boolean): boolean {
  if (visit.isOwnPage) return true;
  const allowed = allowedOrigins(rule, requiresList);
  return allowed === null || (visit.origin !== null && allowed.includes(visit.origin));
}

/** Which widget: by id in the app, by uuid in the developer API. */
export interface WidgetKey {
  id?: number | undefined;
  uuid?: string | undefined;
}

const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function requireAdmin({ principal }: Scope): void {
  if (principal.kind === "public" || principal.role !== "admin")
    throw new CarrelError("access.forbidden");
}

/** A widget with the workspace it answers from; deleting a workspace deletes its widgets. */
export interface PlacedWidget {
  widget: Widget;
  workspace: Workspace;
}

@Injectable()
export class WidgetRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(scope: Scope): Promise<PlacedWidget[]> {
    requireAdmin(scope);
    const widgets = await this.dataSource.manager.find(Widget, { order: { id: "DESC" } });
    return this.place(widgets);
  }

  /** For anyone: a widget's uuid is public. */
  async findPublic(_scope: Scope, uuid: string): Promise<PlacedWidget | null> {
    if (!uuidText.test(uuid)) return null;
    const widget = await this.dataSource.manager.findOneBy(Widget, { uuid });
    return widget === null ? null : ((await this.place([widget]))[0] ?? null);
  }

  /** Throws NOT_FOUND. */
  async require(scope: Scope, manager: EntityManager, key: WidgetKey): Promise<Widget> {
    requireAdmin(scope);
    const where = whereOf(key);
    const widget = where === null ? null : await manager.findOneBy(Widget, where);
    if (widget === null) throw new CarrelError("widget.not-found");
    return widget;
  }

  async create(scope: Scope, manager: EntityManager, columns: Partial<Widget>): Promise<Widget> {
    requireAdmin(scope);
    const { id } = await manager.save(
      manager.create(Widget, { ...columns, userId: scope.principal.userId }),
    );
    return manager.findOneByOrFail(Widget, { id });
  }

  async update(
    scope: Scope,
    manager: EntityManager,
    id: number,
    columns: Partial<Widget>,
  ): Promise<void> {
    requireAdmin(scope);
    await manager
      .createQueryBuilder()
      .update(Widget)
      .set({ updatedAt: () => "now()", ...columns })
      .where("id = :id", { id })
      .execute();
  }

  async delete(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    requireAdmin(scope);
    return (await manager.delete(Widget, { id })).affected === 1;
  }

  /** Deletes a deleted workspace's widgets; the caller checks the permission. */
  async deleteOf(_scope: Scope, manager: EntityManager, workspaceId: number): Promise<void> {
    await manager.delete(Widget, { workspaceId });
  }

  /** Lists the given ids that no widget has. */
  async listMissing(scope: Scope, ids: readonly number[]): Promise<number[]> {
    requireService(scope);
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT asked.id FROM unnest($1::int[]) AS asked(id)
      WHERE NOT EXISTS (SELECT 1 FROM workspace.widget w WHERE w.id = asked.id)`,
      [rowIds(ids)],
    );
    return rows.map(({ id }) => id);
  }

  private async place(widgets: readonly Widget[]): Promise<PlacedWidget[]> {
    const ids = [...new Set(widgets.map(({ workspaceId }) => workspaceId))];
    const workspaces = await this.dataSource
      .createQueryBuilder(Workspace, "workspace")
      .where("workspace.id = ANY(:ids) AND workspace.deleted_at IS NULL", { ids })
      .getMany();
    const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    return widgets.flatMap((widget) => {
      const workspace = byId.get(widget.workspaceId);
      return workspace === undefined ? [] : [{ widget, workspace }];
    });
  }
}

function whereOf({ id, uuid }: WidgetKey): { id: number } | { uuid: string } | null {
  if (uuid !== undefined) return uuidText.test(uuid) ? { uuid } : null;
  return id === undefined ? null : { id };
}
