import type { RunStep } from "@carrel/contracts";
import { fakeStep, type ScriptPart } from "./fake-steps.ts";

const later = (): string => new Date(Date.now() + 240_000).toISOString();

export const chartStep = (id: number): RunStep =>
  fakeStep(id, {
    skill: "create-chart",
    tool: "create-chart",
    object: "Heat demand by block",
    input: '{"type":"bar"}',
    milliseconds: 80,
    outputs: [
      {
        type: "chart",
        chart: "bar",
        title: "Heat demand by block",
        caption: "In MWh a year, from the retrofit survey.",
        rows: [
          { name: "Block A", before: 412, after: 260 },
          { name: "Block B", before: 386, after: 241 },
          { name: "Block C", before: 530, after: 318 },
        ],
      },
    ],
  });

export const tableStep = (id: number): RunStep =>
  fakeStep(id, {
    skill: "sql-agent",
    tool: "sql-query",
    object: "Sales",
    input: JSON.stringify({ database: "sales", query: "SELECT region, total\nFROM orders" }),
    milliseconds: 340,
    outputs: [
      {
        type: "table",
        title: "Orders by region",
        columns: ["Region", "Orders", "Total"],
        rows: Array.from({ length: 24 }, (_, index) => [
          `Region ${index + 1}`,
          index * 7,
          index * 1033.5,
        ]),
        total: 420,
      },
    ],
  });

export const fileStep = (id: number): RunStep =>
  fakeStep(id, {
    skill: "create-files-agent",
    tool: "create-docx-file",
    object: "Retrofit report.docx",
    input: '{"title":"Retrofit report"}',
    milliseconds: 2_300,
    outputs: [
      {
        type: "file",
        name: "Retrofit report.docx",
        file: "f0c1-report.docx",
        mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        size: 48_200,
      },
    ],
  });

/** @param schedule the ID of what it created */
export const scheduleStep = (id: number, schedule: string): RunStep =>
  fakeStep(id, {
    skill: "create-scheduled-job",
    tool: "create-scheduled-job",
    object: "Heat-pump news",
    input: '{"name":"Heat-pump news","cron":"30 7 * * MON,THU"}',
    result: 'Scheduled "Heat-pump news".',
    milliseconds: 60,
    outputs: [
      {
        type: "schedule",
        id: schedule,
        name: "Heat-pump news",
        schedule: "30 7 * * MON,THU",
        timeZone: "Europe/Berlin",
        nextAt: "2027-01-04T06:30:00.000Z",
      },
    ],
  });

export const approvalStep = (id: number, changes: Partial<RunStep> = {}): RunStep =>
  fakeStep(id, {
    skill: "gmail-agent",
    tool: "gmail-send",
    state: "waiting",
    object: "Retrofit report",
    input: '{"to":"mieter@bücher.example"}',
    result: null,
    milliseconds: null,
    approval: {
      reason: "untrusted",
      destination: "mieter@bücher.example",
      details: [
        { label: "Subject", value: "Retrofit report\u202e gpj.exe" },
        { label: "Text", value: "Dear tenants,\n\nthe report is attached.\n\nKind regards" },
      ],
      expiresAt: later(),
      decision: null,
      canBeLasting: true,
    },
    ...changes,
  });

/** What `scheduleStep` asks before. */
export const scheduleApproval = (id: number): RunStep =>
  approvalStep(id, {
    skill: "create-scheduled-job",
    tool: "create-scheduled-job",
    object: "Heat-pump news",
    approval: {
      ...approvalStep(id).approval!,
      reason: "outside",
      destination: null,
      details: [
        { label: "name", value: "Heat-pump news" },
        { label: "prompt", value: "Search the web for news on heat pumps." },
        { label: "schedule", value: "30 7 * * MON,THU (Europe/Berlin)" },
      ],
      canBeLasting: false,
    },
  });

export const formStep = (id: number): RunStep =>
  fakeStep(id, {
    skill: "request-user-input",
    tool: "ask-person",
    state: "waiting",
    object: null,
    input: "{}",
    result: null,
    milliseconds: null,
    form: {
      questions: [
        {
          kind: "choice",
          question: "Which blocks should the report cover?",
          options: ["All blocks", "Only block C"],
          optionDescriptions: ["A to F, with a summary", ""],
          multiSelect: false,
          allowOther: true,
        },
        {
          kind: "input",
          question: "Who is the report for?",
          inputType: "text",
          placeholder: "Such as the owners' meeting",
        },
      ],
      answers: null,
      expiresAt: later(),
    },
  });

/** A search, a form, a chart, a file and an approval, with text between them. */
export const mixedRun = (): ScriptPart[] => [
  fakeStep(1, { state: "running", milliseconds: null, result: null }),
  fakeStep(1),
  fakeStep(2, {
    skill: "web-browsing",
    tool: "search-web",
    object: "heat pump subsidies 2026",
    milliseconds: 2_800,
  }),
  formStep(3),
  "The survey has the figures for each block.\n\n",
  chartStep(4),
  fileStep(5),
  approvalStep(6),
  "\n\nThe report is ready, and I've sent it to the tenants.",
];

export const manySteps = (count: number, result = "4 passages"): RunStep[] =>
  Array.from({ length: count }, (_, index) =>
    fakeStep(index + 1, {
      object: `question ${index + 1}`,
      milliseconds: 1_000 + index * 10,
      result,
      ...(index % 3 === 1
        ? { skill: "web-scraping", tool: "read-web-page", object: `example.com/page-${index}` }
        : {}),
      ...(index % 7 === 6 ? { state: "failed" as const, fault: { code: "access.forbidden" } } : {}),
    }),
  );
