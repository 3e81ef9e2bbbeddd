import { hash } from "node:crypto";
import {
  scopeSchema,
  type OpenedInvocation,
  type StoredAttachment,
  type ToolSwitches,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";

/** How long a new session waits for its connection, in seconds. */
const firstUseSeconds = 60;
/** How long one whose connection is gone can be taken up again. */
const returnSeconds = 300;
/** A connection that hasn't been seen for this long has been lost. */
const leaseSeconds = 30;

export interface NewInvocation {
  uuid: string;
  threadSlug: string | null;
  prompt: string;
  attachments: StoredAttachment[];
  timeZone: string | null;
  locale: string | null;
}

interface Row {
  id: number;
  scope: unknown;
  thread_slug: string | null;
  prompt: string;
  attachments: StoredAttachment[];
  time_zone: string | null;
  locale: string | null;
  generation_id: string | null;
  turns: number;
  tool_switches: ToolSwitches;
}

/** It has 122 random bits, so a plain hash can't be guessed. */
const hashOf = (uuid: string): string => hash("sha256", uuid.toLowerCase(), "hex");
const personMatches =
  "(NOT $2::boolean OR (scope->'principal'->>'userId')::int IS NOT DISTINCT FROM $3::int)";
const isCurrent = `CASE
    WHEN used_at IS NULL THEN created_at > now() - interval '${firstUseSeconds} s'
    ELSE seen_at > now() - interval '${returnSeconds} s'
  END`;

/** Sessions of agents, found by their secret uuid. */
@Injectable()
export class InvocationRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(scope: WorkspaceScope, invocation: NewInvocation): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO chat.agent_invocation (
        uuid_hash, workspace_id, scope, thread_slug, prompt, attachments, time_zone, locale
      ) VALUES ($1, $2, $3::json, $4, $5, $6::json, $7, $8)`,
      [
        hashOf(invocation.uuid),
        scope.workspace.id,
        JSON.stringify(scope),
        invocation.threadSlug,
        stripNullCharacters(invocation.prompt),
        JSON.stringify(invocation.attachments),
        invocation.timeZone,
        invocation.locale,
      ],
    );
  }

  /** Gives the session to this connection, or says why not. */
  async open(
    uuid: string,
    connection: string,
    person: { userId: number | null } | null,
  ): Promise<OpenedInvocation | "missing" | "closed" | "in-use"> {
    const asked = [hashOf(uuid), person !== null, person?.userId ?? null];
    const rows = await queryRows<Row>(
      this.dataSource,
      `UPDATE chat.agent_invocation
      SET used_at = coalesce(used_at, now()), seen_at = now(), connection = $4
      WHERE uuid_hash = $1
        AND ${personMatches}
        AND NOT closed
        AND ${isCurrent}
        AND (connection IS NULL OR seen_at < now() - interval '${leaseSeconds} s')
      RETURNING id, scope, thread_slug, prompt, attachments, time_zone, locale, generation_id, turns,
        tool_switches`,
      [...asked, connection],
    );
    const row = rows[0];
    if (row !== undefined)
      return {
        id: row.id,
        scope: scopeSchema.parse(row.scope),
        threadSlug: row.thread_slug,
        prompt: row.prompt,
        attachments: row.attachments,
        timeZone: row.time_zone,
        locale: row.locale,
        generationId: row.generation_id,
        turns: row.turns,
        toolSwitches: row.tool_switches,
      };
    const found = await queryRows<{ is_open: boolean }>(
      this.dataSource,
      `SELECT NOT closed AND ${isCurrent} AS is_open FROM chat.agent_invocation
      WHERE uuid_hash = $1 AND ${personMatches}`,
      asked,
    );
    if (found[0] === undefined) return "missing";
    return found[0].is_open ? "in-use" : "closed";
  }

  /** Returns whether the session is open and this connection has it. */
  async keep(
    id: number,
    connection: string,
    {
      asked,
      toolSwitch,
      hasLeft = false,
    }: {
      asked?: { generationId: string; turns: number } | undefined;
      toolSwitch?: { name: string; isOn: boolean } | undefined;
      hasLeft?: boolean | undefined;
    },
  ): Promise<boolean> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `UPDATE chat.agent_invocation
      SET seen_at = now(),
        generation_id = coalesce($3, generation_id),
        turns = coalesce($4, turns),
        connection = CASE WHEN $5 THEN NULL ELSE connection END,
        tool_switches = CASE
          WHEN $6::text IS NULL THEN tool_switches
          ELSE tool_switches || jsonb_build_object($6::text, $7::boolean)
        END
      WHERE id = $1 AND connection = $2 AND NOT closed
      RETURNING id`,
      [
        id,
        connection,
        asked?.generationId ?? null,
        asked?.turns ?? null,
        hasLeft,
        toolSwitch === undefined ? null : stripNullCharacters(toolSwitch.name),
        toolSwitch?.isOn ?? null,
      ],
    );
    return rows.length > 0;
  }

  async close(id: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.agent_invocation
      SET closed = true, prompt = '', attachments = '[]', connection = NULL
      WHERE id = $1`,
      [id],
    );
  }

  /** Ends the sessions of one person, or of all. */
  async closeOf(userId: number | undefined): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.agent_invocation
      SET closed = true, prompt = '', attachments = '[]', connection = NULL
      WHERE NOT closed
        AND ($1::int IS NULL OR (scope->'principal'->>'userId')::int = $1::int)`,
      [userId ?? null],
    );
  }

  /** Deletes sessions that nobody has used for an hour. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      "DELETE FROM chat.agent_invocation WHERE seen_at < now() - interval '1 hour'",
    );
  }
}
