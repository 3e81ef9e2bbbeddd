import type { ChatExportType, ExportedRecord } from "@carrel/contracts";
import { disarmFormula, quoteCell } from "../http/csv.ts";

/** A recorded chat with its complete texts. */
export interface NamedRecord extends Pick<
  ExportedRecord,
  | "id"
  | "workspaceId"
  | "sessionId"
  | "visitor"
  | "sentAt"
  | "rating"
  | "question"
  | "answer"
  | "sources"
  | "images"
> {
  workspace: string;
  /** null: a widget visitor. */
  username: string | null;
}

/** Reads more data while a record is written. */
export interface RecordReader {
  /** False for widget visitors, whose records have no username. */
  hasUsers: boolean;
  systemPrompt(workspaceId: number): Promise<string>;
  /** The data URL of an image in parts of base64; null if its bytes are gone. */
  openImage(
    recordId: number,
    image: ExportedRecord["images"][number],
  ): Promise<AsyncIterable<string> | null>;
}

type Written = AsyncGenerator<string>;
export interface RecordFormat {
  contentType: string;
  extension: string;
  write(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written;
}

const ratingOf = ({ rating }: NamedRecord): string =>
  rating === null ? "--" : rating ? "GOOD" : "BAD";

const visitorColumns = ["session_id", "visitor", "visitor_verified"];
const isVerified = ({ visitor }: NamedRecord): boolean => visitor?.isVerified ?? false;

const writeCell = (text: string): string =>
  quoteCell(disarmFormula(text).replace(/\r\n|\r|\n/g, " "));

async function* writeCsv(records: AsyncIterable<NamedRecord>, { hasUsers }: RecordReader): Written {
  const columns = ["id", "workspace", "prompt", "response", "sent_at"];
  yield [...columns, ...(hasUsers ? ["username", "rating"] : visitorColumns)].join(",");
  for await (const record of records) {
    const cells = [
      writeCell(String(record.id)),
      ...[record.workspace, record.question, record.answer].map(writeCell),
      writeCell(String(new Date(record.sentAt))),
      ...(hasUsers
        ? [writeCell(record.username ?? ""), writeCell(ratingOf(record))]
        : [
            writeCell(record.sessionId ?? ""),
            writeCell(record.visitor?.name ?? ""),
            writeCell(String(isVerified(record))),
          ]),
    ];
    yield `\n${cells.join(",")}`;
  }
}

async function* writeJson(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written {
  let separator = "[\n";
  for await (const record of records) {
    const row = JSON.stringify({
      id: record.id,
      prompt: record.question,
      response: record.answer,
      sent_at: record.sentAt,
      workspace: record.workspace,
      ...(record.username === null
        ? {
            session_id: record.sessionId,
            visitor: record.visitor?.name ?? null,
            visitor_verified: isVerified(record),
          }
        : { username: record.username, rating: ratingOf(record) }),
    });
    yield `${separator}${row.slice(0, -1)},"attachments":[`;
    yield* joined(writeImages(record, reader));
    yield "]}";
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : "\n]";
}

/** One line per workspace, whose records follow each other. */
async function* writeJsonl(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written {
  const textOf = (text: string): string => JSON.stringify({ type: "text", text });
  let workspaceId: number | null = null;
  for await (const record of records) {
    if (record.workspaceId !== workspaceId) {
      const system = textOf(await reader.systemPrompt(record.workspaceId));
      yield `${workspaceId === null ? "" : "]}\n"}{"messages":[{"role":"system","content":[${system}]}`;
      ({ workspaceId } = record);
    }
    yield `,{"role":"user","content":[${textOf(record.question)}`;
    for await (const image of writeImages(record, reader)) {
      yield ",";
      yield* image;
    }
    yield `]},{"role":"assistant","content":[${textOf(record.answer)}]}`;
  }
  if (workspaceId !== null) yield "]}";
}

async function* writeAlpaca(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written {
  let separator = "[\n";
  for await (const record of records) {
    const prompt = await reader.systemPrompt(record.workspaceId);
    yield `${separator}${JSON.stringify({
      instruction: `${prompt}${writeContext(record.sources)}`,
      input: record.question,
      output: record.answer,
    })}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : "\n]";
}

/** Numbered as in the prompt (wire-contract 4.7), because answers cite these numbers. */
const writeContext = (texts: readonly string[]): string =>
  texts.length === 0
    ? ""
    : `\nContext:\n${texts.map((text, index) => `[CONTEXT ${index + 1}]:\n${text}\n[END CONTEXT ${index + 1}]\n\n`).join("")}`;

async function* writeImages(
  { id, images }: NamedRecord,
  reader: RecordReader,
): AsyncGenerator<AsyncIterable<string>> {
  for (const image of images) {
    const parts = await reader.openImage(id, image);
    if (parts !== null) yield writeImage(parts);
  }
}

async function* writeImage(parts: AsyncIterable<string>): Written {
  yield '{"type":"image","image":"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"}';
}

async function* joined(items: AsyncIterable<AsyncIterable<string>>): Written {
  let separator = "";
  for await (const item of items) {
    yield separator;
    yield* item;
    separator = ",";
  }
}

export const recordFormats: Record<ChatExportType, RecordFormat> = {
  csv: { contentType: "text/csv; charset=utf-8", extension: "csv", write: writeCsv },
  json: { contentType: "application/json; charset=utf-8", extension: "json", write: writeJson },
  jsonl: { contentType: "application/jsonl; charset=utf-8", extension: "jsonl", write: writeJsonl },
  jsonAlpaca: {
    contentType: "application/json; charset=utf-8",
    extension: "json",
    write: writeAlpaca,
  },
};
