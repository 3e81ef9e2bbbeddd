import {
  CarrelError,
  listContextTexts,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { StatementBatches, preparedQuery } from "@carrel/database";
import { Handle, maximumReplyBytes, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { DocumentModule } from "../document/document.module.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import { TextRepository } from "../document/text.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";

type ContextText = Out<typeof listContextTexts>["texts"][number];
/** Metadata of a text that goes into the prompt; `at` and `id` give its place in the order. */
type Entry = Omit<ContextText, "text" | "asOf" | "revision"> & {
  at: string;
  id: number;
  length: number;
  revision: number;
  checkedAt: Date | null;
};

/** Reserves room for the JSON structure and the cursor. */
const replyBytes = maximumReplyBytes - 20_000;
/** Entries per reply, because their metadata also takes space. */
const maxEntries = 100;
/**
 * Ends the reply when less room than this is left, so that the next one starts with a larger piece.
 */
const minRoom = 2_000;

const columns = `d.id AS "documentId", d.title, d.published, d.mime, d.url,
  d.doc_author AS "docAuthor", d.description, d.doc_source AS "docSource",
  d.chunk_source AS "chunkSource", d.word_count AS "wordCount", d.token_count AS token_count_estimate, d.text_length AS length, d.revision,
  d.checked_at AS "checkedAt"`;

/** Pinned documents, then the caller's files of the thread, each from the cursor's place on. */
const entriesSql = `
  (
    SELECT 0 AS rank, w.pinned_at AS since, 'pinned' AS kind,
      to_char(w.pinned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS at, w.id, ${columns}
    FROM ingest.workspace_document w
    JOIN ingest.document d ON d.id = w.document_id AND d.state = 'parsed'
    WHERE w.workspace_id = $1
      AND w.pinned
      AND ${mayRead("w.document_id", "$8::int")}
      AND $4::text IS DISTINCT FROM 'file'
      AND (
        $5::text IS NULL
        OR (w.pinned_at, w.id) >= (nullif($5::text, '')::timestamp AT TIME ZONE 'UTC', $6::int)
      )
    ORDER BY w.pinned_at, w.id LIMIT $7
  )
  UNION ALL (
    SELECT 1, NULL, 'file', '', p.id, ${columns}
    FROM ingest.parsed_file p
    JOIN ingest.document d ON d.id = p.document_id AND d.state = 'parsed'
    WHERE p.workspace_id = $1
      AND p.thread_id = $2::int
      AND p.user_id IS NOT DISTINCT FROM $3::int
      AND ($4::text IS DISTINCT FROM 'file' OR p.id >= $6::int)
    ORDER BY p.id LIMIT $7
  )
  ORDER BY rank, since, id`;

/** A conversation; `threadId` null stands for none. */
interface Conversation {
  workspaceId: number;
  threadId: number | null;
  userId: number | null;
}

/** The numbers of the conversations, from 1, that have pinned documents or files. */
const conversationsSql = `
  SELECT c.n::int
  FROM unnest($1::int[], $2::int[], $3::int[]) WITH ORDINALITY AS
    c(workspace_id, thread_id, user_id, n)
  WHERE EXISTS (
      SELECT 1 FROM ingest.workspace_document w WHERE w.workspace_id = c.workspace_id AND w.pinned
    )
    OR EXISTS (
      SELECT 1 FROM ingest.parsed_file p
      WHERE p.workspace_id = c.workspace_id
        AND p.thread_id = c.thread_id
        AND p.user_id IS NOT DISTINCT FROM c.user_id
    )`;

/** Full texts for a prompt, up to the requested length and the size of one reply. */
@Injectable()
class ContextTexts {
  /** Most conversations have no texts, and many ask at the same time. */
  private readonly conversations = new StatementBatches<Conversation, boolean>({
    run: async (asked) => ({ outputs: await this.haveTexts(asked) }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly texts: TextRepository,
  ) {}

  async list(
    scope: WorkspaceScope,
    input: { threadId: number | null; maximumCharacters: number; after: string | null },
    tries = 3,
  ): Promise<Out<typeof listContextTexts>> {
    const from = input.after === null ? null : readCursor(input.after);
    if (from === null) {
      const { workspace, principal } = scope;
      const { threadId } = input;
      const conversation = { workspaceId: workspace.id, threadId, userId: principal.userId };
      if (!(await this.conversations.add(conversation))) return { texts: [], next: null };
    }
    const { entries, isMore } = await this.listEntries(scope, input.threadId, from);
    const texts: ContextText[] = [];
    let used = from?.used ?? 0;
    let bytes = replyBytes;
    for (const [n, { at, id, length, revision, checkedAt, ...listed }] of entries.entries()) {
      const entry = {
        ...listed,
        ...(checkedAt && { asOf: checkedAt.toISOString(), revision }),
      };
      const offset =
        n === 0 && from?.kind === entry.kind && from.at === at && from.id === id ? from.offset : 0;
      if (used >= input.maximumCharacters) return { texts, next: null };
      const wanted = Math.min(length - offset, input.maximumCharacters - used);
      if (wanted <= 0) continue;
      const place = { kind: entry.kind, at, id };
      const room = bytes - Buffer.byteLength(JSON.stringify(entry)) - 100;
      if (texts.length === maxEntries || room < minRoom)
        return { texts, next: writeCursor({ ...place, offset, used }) };
      // One character more than requested, to check whether the boundary splits a surrogate pair.
      const range = {
        documentId: entry.documentId,
        start: offset,
        end: offset + Math.min(wanted, room) + 1,
      };
      const piece = await this.texts.readRevision(scope, range, revision);
      if (piece === "") {
        // Its content was replaced between two queries: the new one is listed with its length.
        if (tries > 0) return this.list(scope, input, tries - 1);
        // Removed: treat it as if it had never been listed.
        continue;
      }
      const border = wholeCharacters(piece, Math.min(wanted, piece.length));
      const fits = fitReply(piece, room);
      const isComplete = wanted <= room && fits >= border;
      const text = piece.slice(0, isComplete ? border : fits);
      texts.push({ ...entry, text });
      if (!isComplete)
        return { texts, next: writeCursor({ ...place, offset: offset + fits, used: used + fits }) };
      used += wanted;
      bytes = room - Buffer.byteLength(JSON.stringify(text));
    }
    const last = entries.at(-1);
    return {
      texts,
      next:
        last && isMore
          ? writeCursor({ kind: last.kind, at: last.at, id: last.id, offset: last.length, used })
          : null,
    };
  }

  private async haveTexts(asked: readonly Conversation[]): Promise<boolean[]> {
    const rows = await preparedQuery<{ n: number }>(
      this.dataSource,
      "conversations with context texts",
      conversationsSql,
      [
        asked.map(({ workspaceId }) => workspaceId),
        asked.map(({ threadId }) => threadId),
        asked.map(({ userId }) => userId),
      ],
    );
    const found = new Set(rows.map(({ n }) => n));
    return asked.map((_, index) => found.has(index + 1));
  }

  /** Pinned documents, then the caller's files, starting with the cursor's entry. */
  private async listEntries(
    scope: WorkspaceScope,
    threadId: number | null,
    from: ContextCursor | null,
  ): Promise<{ entries: Entry[]; isMore: boolean }> {
    const limit = maxEntries + 2;
    const rows = await preparedQuery<Entry & { rank: number; since: unknown }>(
      this.dataSource,
      "list context texts",
      entriesSql,
      [
        scope.workspace.id,
        threadId,
        scope.principal.userId,
        from?.kind ?? null,
        from?.at ?? null,
        from?.id ?? 0,
        limit,
        readerOf(scope),
      ],
    );
    const entries = rows.map(({ rank: _rank, since: _since, ...entry }) => entry);
    return {
      entries: entries.slice(0, limit),
      isMore: entries.length >= limit,
    };
  }
}

/**
 * How many UTF-16 units of `text` fit into `bytes` of a JSON reply, never splitting a surrogate
 * pair. Sizes are rounded up: control characters count six bytes, everything from U+0800 three.
 */
export function fitReply(text: string, bytes: number): number {
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    used +=
      code < 0x20 ? 6 : code === 0x22 || code === 0x5c ? 2 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (used > bytes) return wholeCharacters(text, at);
  }
  return text.length;
}

/** `at`, or one less if it splits a surrogate pair. */
export const wholeCharacters = (text: string, at: number): number =>
  at > 0 &&
  at < text.length &&
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at;

/**
 * Where the next reply continues: the text, the offset in it, and the characters already sent. `at`
 * orders pinned documents.
 */
const cursor = z.tuple([
  z.enum(["pinned", "file"]),
  z.string().max(40),
  z.number().int(),
  z.number().int().min(0),
  z.number().int().min(0),
]);
interface ContextCursor {
  kind: "pinned" | "file";
  at: string;
  id: number;
  offset: number;
  used: number;
}

const writeCursor = ({ kind, at, id, offset, used }: ContextCursor): string =>
  JSON.stringify([kind, at, id, offset, used]);

function readCursor(text: string): ContextCursor {
  try {
    const [kind, at, id, offset, used] = cursor.parse(JSON.parse(text));
    return { kind, at, id, offset, used };
  } catch (cause) {
    throw new CarrelError("document.cursor-unknown", {}, { cause });
  }
}

@Controller()
class ContextHandler {
  constructor(private readonly texts: ContextTexts) {}

  @Handle(listContextTexts)
  list(
    input: In<typeof listContextTexts>,
    context: RequestContext,
  ): Promise<Out<typeof listContextTexts>> {
    return this.texts.list(requireWorkspace(context.scope), input);
  }
}

@Module({
  imports: [DocumentModule],
  controllers: [ContextHandler],
  providers: [ContextTexts],
})
export class ContextModule {}
