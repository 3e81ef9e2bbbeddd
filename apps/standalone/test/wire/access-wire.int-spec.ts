import {
  endpoints,
  exportChatRecords,
  listChatRecords,
  searchPassages,
  type In,
  type Out,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { callRow, type AccessRow, type World } from "./access-row.ts";
import { multiRows } from "./access-rows.ts";
import { answerDeveloperDocuments } from "./developer-document-answers.ts";
import { answerDeveloperWorkspaces } from "./developer-workspace-answers.ts";
import { answerEverything } from "./fixture-answers.ts";
import { answerFlowRunRows } from "./flow-run-rows.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { answerScheduleRows } from "./schedule-rows.ts";
import { singleRows } from "./single-user-rows.ts";
import { answerWidgetRows } from "./widget-answers.ts";

const found: Out<typeof searchPassages> = {
  documentCount: 1,
  dense: true,
  fallback: null,
  milliseconds: 1,
  trace: null,
  searched: [],
  passages: [
    {
      chunkId: "c1",
      documentId: "d1",
      docpath: "custom-documents/a.txt.json",
      title: "a.txt",
      text: "The pump runs at 48 °C.",
      start: 0,
      end: 23,
      page: null,
      headingPath: [],
      rectangles: [],
      score: 0.75,
      denseScore: 0.75,
      textScore: null,
      url: "file://a.txt",
      docAuthor: "Eva",
      description: "none",
      docSource: "a file",
      chunkSource: "",
      published: "1/1/2026",
      wordCount: 6,
      tokenCountEstimate: 9,
    },
  ],
};
let instance: TestInstance;
const world: World = {};
beforeAll(async () => {
  instance = await startTestInstance({ SIMPLE_SSO_ENABLED: "1", CARREL_ENV_DUMP: "1" });
  answerEverything(instance);
  answerFlowRunRows(instance);
  answerDeveloperDocuments(instance);
  answerWidgetRows(instance);
  answerScheduleRows(instance);
  instance.chat
    .answer(listChatRecords, { chats: [], total: 0, nextCursor: null })
    .answer(exportChatRecords, { records: [], next: null });
  answerDeveloperWorkspaces(instance);
  instance.ingest.answer(searchPassages, ({ query }: In<typeof searchPassages>) =>
    query === "nothing" ? { ...found, passages: [], documentCount: 0 } : found,
  );
  expect((await instance.call("POST", "/api/workspace/new", { name: "W" })).status).toBe(200);
});
afterAll(() => instance?.stop());

async function check(row: AccessRow): Promise<void> {
  const answer = await callRow(row, instance, world);
  expect({
    status: answer.status,
    ...(answer.status === row.status ? {} : { text: answer.text }),
  }).toEqual({ status: row.status });
  if (row.kind === "json") expect(answer.type).toBe("application/json; charset=utf-8");
  if (row.body !== undefined) {
    if (row.kind === "json") expect(answer.json).toMatchObject(row.body as object);
    else expect(answer.text).toBe(row.body);
  }
  const { output, success } = endpoints.find((each) => each.name === row.operation)!;
  if (success.kind === "json" && row.kind === "json" && row.status === success.status)
    output.parse(answer.json);
  row.keep?.(answer.json as never, world);
}
const named = (rows: AccessRow[]): [string, AccessRow][] =>
  rows.map((row) => [
    `${row.operation} as ${row.bearer}${row.status === 200 ? "" : `, ${row.status}`}`,
    row,
  ]);

describe("access routes, single-user", () => {
  it.each(named(singleRows))("%s", (_name, row) => check(row));
});

describe("access routes, multi-user", () => {
  it.each(named(multiRows))("%s", (_name, row) => check(row));
});
