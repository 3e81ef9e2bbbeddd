import {
  quotingProvider,
  type AnswerKind,
  type MarkedThread,
  type MetricsWire,
  type SourceWire,
  type WorkspaceDocumentStatus,
  type WorkspaceWire,
} from "@carrel/contracts";

const date = "2026-11-12T09:00:00.000Z";
export const workspaceWire = (id: number, name: string, slug: string): WorkspaceWire => ({
  id,
  name,
  slug,
  vectorTag: null,
  createdAt: date,
  openAiTemp: null,
  openAiHistory: 20,
  lastUpdatedAt: date,
  openAiPrompt: null,
  similarityThreshold: 0.25,
  chatProvider: null,
  chatModel: null,
  topN: 4,
  chatMode: "chat",
  pfpFilename: null,
  agentProvider: null,
  agentModel: null,
  queryRefusalResponse: null,
  vectorSearchMode: "default",
  router_id: null,
});
export const threadWire = (id: number, name: string, slug: string): MarkedThread => ({
  id,
  name,
  slug,
  workspace_id: 1,
  user_id: null,
  createdAt: date,
  lastUpdatedAt: date,
  pinnedAt: null,
  archivedAt: null,
});

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const document = (
  n: number,
  title: string,
  mime: string,
  rest: Partial<WorkspaceDocumentStatus>,
): WorkspaceDocumentStatus => ({
  documentId: uuid(n),
  docpath: `custom-documents/${title}.json`,
  title,
  state: "embedded",
  reason: null,
  progress: 1,
  chunksDone: 0,
  chunksTotal: 0,
  bytes: 8_400_000,
  pages: null,
  wordCount: 12_000,
  mime,
  addedAt: date,
  hasOriginal: true,
  ...rest,
});
export const documents = (): WorkspaceDocumentStatus[] => [
  document(
    1,
    "Commissioning, block B.docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    { state: "parsing", progress: 0.4, bytes: 318_000_000, addedAt: new Date().toISOString() },
  ),
  document(2, "Riser flow measurements.csv", "text/csv", {
    state: "embedding",
    progress: 0.3,
    chunksDone: 312,
    chunksTotal: 1050,
    bytes: 1_200_000,
    addedAt: new Date(Date.now() - 120_000).toISOString(),
  }),
  document(3, "Radiator schedule, block C.csv", "text/csv", {
    state: "queued",
    progress: 0,
    bytes: 96_000,
    addedAt: new Date(Date.now() - 130_000).toISOString(),
  }),
  document(4, "Controller manual HC-300.pdf", "application/pdf", {
    state: "failed",
    reason: "It is locked with a password.",
    pages: 188,
    bytes: 14_000_000,
    addedAt: new Date(Date.now() - 540_000).toISOString(),
  }),
  document(5, "Retrofit survey 2024.pdf", "application/pdf", { pages: 62 }),
  document(6, "Heat-pump field trial.pdf", "application/pdf", { pages: 118, bytes: 11_000_000 }),
  document(
    7,
    "EN 12831 design loads, notes.docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    { bytes: 410_000 },
  ),
  document(8, "Courtyard noise assessment.pdf", "application/pdf", { pages: 37, bytes: 5_100_000 }),
  document(9, "Night tariff 2025", "text/html", { bytes: 24_000, wordCount: 1830 }),
  document(10, "Funding decision, heat pumps.pdf", "application/pdf", {
    pages: 14,
    bytes: 730_000,
    state: "searchable",
  }),
];

const filler =
  "The load was taken at −8 °C outdoors, after the façade works of 2016, and compared with the room that each radiator serves. ";
const before = `4.3 Emitter capacity at lower flow temperatures\n\n${filler.repeat(6)}\n\n`;
const cited =
  "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load without any change. The remaining 22 % are almost all in corner rooms on the top floor, where two outside walls meet the roof.";
export const harbourText = `${filler.repeat(60)}\n\n${before}${cited}\n\n${filler.repeat(12)}\n\n4.4 Hydraulic balance of the risers\n\n${filler.repeat(70)}`;
const start = harbourText.indexOf(cited);

const source = (
  n: number,
  doc: number,
  title: string,
  page: number | null,
  score: number,
  text = cited,
): SourceWire => ({
  id: uuid(900 + n),
  url: "",
  title,
  docAuthor: "",
  description: "",
  docSource: "",
  chunkSource: "",
  published: date,
  wordCount: 40,
  token_count_estimate: 60,
  text,
  score,
  documentId: uuid(doc),
  docpath: "",
  page,
  start,
  end: start + cited.length,
  headingPath: ["4 Measurements", "4.3 Emitter capacity"],
});
export const sources = (): SourceWire[] => [
  source(1, 5, "Retrofit survey 2024.pdf", 14, 0.86),
  source(2, 6, "Heat-pump field trial.pdf", 31, 0.81),
  source(3, 7, "EN 12831 design loads, notes.docx", null, 0.77),
  source(4, 9, "Night tariff 2025", null, 0.64),
];

/** The server's text if no sentence answers; its sources are the first three. */
export const closestAnswer = `No sentence answers this directly. The closest passages:

> At 48 °C, **78 % of the radiators** already cover their room. The others stand in top-floor corner rooms, where two outside walls meet the roof. [1]

> | Flow | Seasonal factor | To replace |
> | --- | --- | --- |
> | 55 °C, today | 2.9 | 3 % |
> | 48 °C | 3.4 | 22 % |
>
> [2]

> Before the measurement:
>
> 1. Open all thermostats for 24 hours.
> 2. Balance the risers. [3]`;
export const quoteMetrics = (answerKind?: AnswerKind): MetricsWire => ({
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  outputTps: 0,
  duration: 0.4,
  model: quotingProvider,
  provider: quotingProvider,
  timestamp: "2026-01-15T10:00:00.000Z",
  ...(answerKind && { answer_kind: answerKind }),
});

export const markdownAnswer = `### Design for 48 °C at −8 °C outdoors

At 48 °C, **78 % of the radiators already cover their room** [1]. Comparable blocks in the field trial reached a seasonal factor of 3.4, against 2.9 at 55 °C [2]. That saves about 15 % of the electricity.

- Replace 22 % of the radiators, nearly all in top-floor corner rooms [1].
- Balance the risers first: two of six run more than 20 % short [3].
- Heat the hot water to 60 °C once a week, at night tariff [4].

| Flow | Seasonal factor | kWh per flat and year | To replace |
| --- | --- | --- | --- |
| 55 °C, today | 2.9 | 2,345 | 3 % |
| 48 °C | 3.4 | 2,000 | 22 % |

\`\`\`yaml
design_outdoor: -8   # °C
flow_at_design: 48
\`\`\`
`;
