import { recordTexts, type ExportedRecord, type RecordText, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { turnVisitor, type Visitor } from "../database/visible-turn.ts";
import { CitationAccess } from "../turn/citation-access.ts";
import { recordCondition, recordTables, type RecordFilter } from "./chat-record.repository.ts";

export interface RecordPosition {
  workspaceId: number;
  id: number;
}
/** What a format needs in addition to the question and the answer. */
export interface RecordParts {
  sources: boolean;
  images: boolean;
  byWorkspace: boolean;
}

/** A reply is limited to 1 MB. */
const pageBytes = 700_000;
/** Few, so that little is in memory while a client reads slowly. */
const maxRows = 40;
/** Characters; three texts of this length fit into a page as JSON. */
const longestText = 30_000;
const partLength = 100_000;

const expressions: Record<RecordText, string> = {
  question: "turn.question",
  answer: "turn.answer",
  sources: `(
    SELECT coalesce(json_agg(source->>'text'), '[]')::text FROM json_array_elements(turn.sources) source
  )`,
};
const cited = `(
  SELECT coalesce(json_agg(source->>'documentId'), '[]') FROM json_array_elements(turn.sources) source
)`;
/** Images without their bytes: keys of blobs, or where the turn holds them itself. */
const images = `(
  SELECT coalesce(
    json_agg(
      json_build_object('mime', a->>'mime', 'blobKey', a->>'blobKey', 'index', place - 1)
      ORDER BY place
    ),
    '[]'
  )
  FROM json_array_elements(turn.attachments) WITH ORDINALITY AS attachment(a, place)
  WHERE a->>'blobKey' IS NOT NULL OR starts_with(a->>'contentString', 'data:image/')
)`;

type Row = Omit<ExportedRecord, "sentAt" | "sources" | "long" | "visitor"> & {
  created_at: Date;
  visitor: Visitor | null;
  sources: string;
  /** The document of each source. */
  cited: (string | null)[];
  long: (RecordText | null)[];
};

/** Reads recorded chats in pages, so that an export of any size needs the memory of one. */
@Injectable()
export class RecordExportRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly citations: CitationAccess,
  ) {}

  async page(
    scope: Scope,
    filter: RecordFilter,
    parts: RecordParts,
    after: RecordPosition | null,
  ): Promise<{ records: ExportedRecord[]; next: RecordPosition | null }> {
    const { where, values } = recordCondition(filter);
    const order = parts.byWorkspace ? "turn.workspace_id, turn.id" : "turn.id";
    const position = parts.byWorkspace
      ? `(turn.workspace_id, turn.id) > ($${values.length + 1}::int, $${values.length + 2}::int)`
      : `turn.id > $${values.length + 1}::int`;
    const from = after ?? { workspaceId: 0, id: 0 };
    const texts = recordTexts.filter((text) => text !== "sources" || parts.sources);
    const read = (text: RecordText): string =>
      texts.includes(text) ? `${expressions[text]} AS ${text}` : `'' AS ${text}`;
    const cut = (text: RecordText): string =>
      `CASE WHEN char_length(${text}) <= ${longestText} THEN ${text} ELSE '' END AS ${text}`;
    const findLong = (text: RecordText): string =>
      `CASE WHEN char_length(${text}) > ${longestText} THEN '${text}' END`;
    const rows = await queryRows<Row>(
      this.dataSource,
      // The texts are read once: PostgreSQL doesn't merge a query with a limit into another.
      `SELECT id, "workspaceId", "userId", "sessionId", visitor, created_at, rating, images, cited,
        ${recordTexts.map(cut).join(", ")}, ARRAY[${recordTexts.map(findLong).join(", ")}] AS long
      FROM (
        SELECT turn.id, turn.workspace_id AS "workspaceId", turn.user_id AS "userId",
          thread.session_id AS "sessionId",
          ${filter.chatType === "embed" ? turnVisitor : "NULL::json"} AS visitor, turn.created_at, turn.feedback AS rating,
          ${recordTexts.map(read).join(", ")}, ${parts.sources ? cited : "'[]'::json"} AS cited,
          ${parts.images ? `CASE WHEN turn.attachments::text = '[]' THEN '[]'::json ELSE ${images} END` : "'[]'::json"} AS images
        FROM ${recordTables}
        WHERE ${where} AND ${position}
        ORDER BY ${order}
        LIMIT ${maxRows + 1}
      ) found`,
      [...values, ...(parts.byWorkspace ? [from.workspaceId, from.id] : [from.id])],
    );
    const hidden = await this.citations.findHidden(
      scope,
      rows.flatMap((row) => row.cited.flatMap((id) => id ?? [])),
    );
    return cutPage(rows.map((row) => mapRow(row, hidden)));
  }

  /** Returns null if the chat or its image is gone. */
  async readText(
    scope: Scope,
    id: number,
    text: RecordText | { image: number },
    from: number,
  ): Promise<{ part: string; next: number | null } | null> {
    const whole =
      text === "sources"
        ? shownSources
        : typeof text === "string"
          ? expressions[text]
          : `turn.attachments->${text.image}->>'contentString'`;
    const [row] = await queryRows<{ part: string | null; length: number | null }>(
      this.dataSource,
      `SELECT substr(whole, $2::int + 1, ${partLength}) AS part, char_length(whole) AS length
      FROM (SELECT ${whole} AS whole FROM ${recordTables} WHERE turn.id = $1) found`,
      text === "sources" ? [id, from, await this.listHidden(scope, id)] : [id, from],
    );
    if (row === undefined || row.part === null) return null;
    return {
      part: row.part,
      next: from + partLength < (row.length ?? 0) ? from + partLength : null,
    };
  }

  private async listHidden(scope: Scope, id: number): Promise<string[]> {
    const [row] = await queryRows<Pick<Row, "cited">>(
      this.dataSource,
      `SELECT ${cited} AS cited FROM chat.turn WHERE turn.id = $1`,
      [id],
    );
    const ids = row?.cited.flatMap((documentId) => documentId ?? []) ?? [];
    return [...(await this.citations.findHidden(scope, ids))];
  }
}

/** Like `expressions.sources`, without the texts of the documents in `$3`. */
const shownSources = `(
  SELECT coalesce(
    json_agg(
      CASE WHEN source->>'documentId' = ANY($3::text[]) THEN '' ELSE source->>'text' END
    ),
    '[]'
  )::text
  FROM json_array_elements(turn.sources) source
)`;

const mapRow = (
  { created_at, sources, cited, long, visitor, ...row }: Row,
  hidden: ReadonlySet<string>,
): ExportedRecord => ({
  id: row.id,
  workspaceId: row.workspaceId,
  userId: row.userId,
  sessionId: row.sessionId,
  visitor:
    visitor?.username == null
      ? null
      : { name: visitor.username, isVerified: visitor.isVerified ?? false },
  sentAt: created_at.toISOString(),
  rating: row.rating,
  question: row.question,
  answer: row.answer,
  sources:
    sources === ""
      ? []
      : (JSON.parse(sources) as (string | null)[]).map((text, index) =>
          hidden.has(cited[index] ?? "") ? "" : (text ?? ""),
        ),
  long: long.filter((text) => text !== null),
  images: row.images,
});

function cutPage(found: readonly ExportedRecord[]): {
  records: ExportedRecord[];
  next: RecordPosition | null;
} {
  const records: ExportedRecord[] = [];
  let room = pageBytes;
  for (const record of found) {
    room -= Buffer.byteLength(JSON.stringify(record));
    if (records.length === maxRows || (room < 0 && records.length > 0)) {
      const { workspaceId, id } = records.at(-1)!;
      return { records, next: { workspaceId, id } };
    }
    records.push(record);
  }
  return { records, next: null };
}
