import type { FlowBlock, FlowStep, FlowTransform } from "@carrel/contracts";
import { newBlockId } from "./tree.ts";

export type BlockType = FlowStep["type"];

/** What a new block of each type starts with; blocks are never changed in place. */
const defaults: { [Type in BlockType]: FlowBlock<Type>["config"] } = {
  start: { variables: [{ name: "", value: "", description: "" }] },
  apiCall: {
    url: "",
    method: "GET",
    headers: [],
    bodyType: "json",
    body: "",
    formData: [],
    responseVariable: "",
    directOutput: false,
  },
  llmInstruction: { instruction: "", resultVariable: "", directOutput: false },
  webScraping: {
    url: "",
    captureAs: "text",
    querySelector: "",
    enableSummarization: true,
    resultVariable: "",
    directOutput: false,
  },
  "carrel-condition": { left: "", operator: "equals", right: "", then: [], otherwise: [] },
  "carrel-loop": { list: "", itemVariable: "item", maxItems: 100, steps: [], resultVariable: "" },
  "carrel-search": { query: "", limit: 8, resultVariable: "", directOutput: false },
  "carrel-code": { code: "", resultVariable: "", directOutput: false },
  "carrel-transform": { input: "", operations: [], resultVariable: "", directOutput: false },
  "carrel-approval": { question: "", details: "" },
  "carrel-flow": { flowId: "", inputs: [], resultVariable: "", directOutput: false },
};

/** In the order in which they are offered: those of existing clients, then ours. */
export const clientBlocks = ["apiCall", "llmInstruction", "webScraping"] as const;
export const ownBlocks = [
  "carrel-condition",
  "carrel-loop",
  "carrel-search",
  "carrel-transform",
  "carrel-code",
  "carrel-approval",
  "carrel-flow",
] as const;

export const isBlockType = (type: unknown): type is BlockType =>
  typeof type === "string" && Object.hasOwn(defaults, type);

export const newBlock = (type: BlockType): FlowStep =>
  ({ id: newBlockId(), type, config: defaults[type] }) as FlowStep;

/** A block as another program wrote it, with what it leaves out. */
export const completeConfig = (type: BlockType, config: object): object => ({
  ...defaults[type],
  ...config,
});

const transforms: { [Kind in FlowTransform["kind"]]: Extract<FlowTransform, { kind: Kind }> } = {
  pick: { kind: "pick", path: "" },
  csv: { kind: "csv", delimiter: "auto" },
  filter: { kind: "filter", column: "", operator: "equals", value: "" },
  sort: { kind: "sort", column: "", descending: false },
  columns: { kind: "columns", names: [] },
  limit: { kind: "limit", count: 10 },
  format: { kind: "format", as: "json" },
};
export const transformKinds = Object.keys(transforms) as FlowTransform["kind"][];
export const newTransform = (kind: FlowTransform["kind"]): FlowTransform => ({
  ...transforms[kind],
});

/** Operators that compare with nothing. */
export const isUnary = (operator: string): boolean =>
  operator === "is-empty" || operator === "is-not-empty";

/** The variable that a block's result goes to; empty if none. */
export function resultOf(step: FlowStep): string {
  if (step.type === "apiCall") return step.config.responseVariable.trim();
  return "resultVariable" in step.config ? String(step.config.resultVariable).trim() : "";
}

export interface BlockText {
  field: string;
  text: string;
  required?: boolean;
}

/** The texts in which `${variables}` are filled in, and other fields that a block needs. */
export function textsOf(step: FlowStep): BlockText[] {
  const needed = (field: string, text: string): BlockText => ({ field, text, required: true });
  switch (step.type) {
    case "start":
    case "carrel-code":
      return [];
    case "apiCall": {
      const { url, headers, bodyType, method, body, formData } = step.config;
      const pairs = (field: string, list: typeof headers): BlockText[] =>
        list.flatMap(({ key, value }) => [
          { field, text: key },
          { field, text: value },
        ]);
      return [
        needed("url", url),
        ...pairs("headers", headers),
        ...(method === "GET"
          ? []
          : bodyType === "form"
            ? pairs("formData", formData)
            : [{ field: "body", text: body }]),
      ];
    }
    case "llmInstruction":
      return [needed("instruction", step.config.instruction)];
    case "webScraping":
      return [
        needed("url", step.config.url),
        ...(step.config.captureAs === "querySelector"
          ? [needed("querySelector", step.config.querySelector)]
          : []),
      ];
    case "carrel-search":
      return [needed("query", step.config.query)];
    case "carrel-transform":
      return [
        needed("input", step.config.input),
        ...step.config.operations.flatMap(transformTexts),
      ];
    case "carrel-approval":
      return [
        needed("question", step.config.question),
        { field: "details", text: step.config.details },
      ];
    case "carrel-flow":
      return step.config.inputs.map(({ value }) => ({ field: "inputs", text: value }));
    case "carrel-condition":
      return [
        needed("left", step.config.left),
        ...(isUnary(step.config.operator) ? [] : [{ field: "right", text: step.config.right }]),
      ];
    case "carrel-loop":
      return [needed("list", step.config.list)];
  }
}

function transformTexts(operation: FlowTransform): BlockText[] {
  const needed = (text: string): BlockText => ({ field: "operations", text, required: true });
  switch (operation.kind) {
    case "pick":
      return [needed(operation.path)];
    case "filter":
      return [needed(operation.column), { field: "operations", text: operation.value }];
    case "sort":
      return [needed(operation.column)];
    case "columns":
      return [needed(operation.names.join(""))];
    default:
      return [];
  }
}
