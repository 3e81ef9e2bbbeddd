import type { Schema } from "./named-schemas.ts";

const uuid = "5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10";
const moment = "2026-03-02T09:30:00.000Z";
const text = "The notice period is three months.";

/** Example values of fields with these names, if their schema allows them. */
const values: Record<string, readonly unknown[]> = {
  id: [1, uuid],
  slug: ["contracts"],
  threadSlug: [uuid],
  uuid: [uuid],
  name: ["Contracts"],
  title: ["lease.pdf"],
  filename: ["lease.pdf"],
  file: [`${uuid}.pdf`],
  docName: [`lease.pdf-${uuid}.json`],
  docPath: [`custom-documents/lease.pdf-${uuid}.json`],
  docpath: [`custom-documents/lease.pdf-${uuid}.json`],
  location: [`custom-documents/lease.pdf-${uuid}.json`],
  docId: [uuid],
  folder: ["custom-documents"],
  folderName: ["custom-documents"],
  docAuthor: ["Ada Lovelace"],
  docSource: ["A file uploaded by the user."],
  chunkSource: ["localfile://lease.pdf"],
  description: ["Lease of the office"],
  published: [moment],
  pageContent: [text],
  text: [text],
  content: [text],
  textResponse: [text],
  importId: ["allm-community-id:slash-command:4nnTOgFiDs"],
  digest: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  itemType: ["slash-command"],
  connectionKey: ["********a1b2"],
  hub_api_key: ["Shown masked"],
  command: ["/summarize"],
  creatorUsername: ["ada"],
  response: [text],
  prompt: ["What is the notice period?"],
  message: [null, "What is the notice period?"],
  question: ["What is the notice period?"],
  query: ["notice period"],
  search: ["notice"],
  error: [null],
  fault: [null],
  incomplete_details: [null],
  success: [true],
  url: ["https://example.com/lease"],
  link: ["https://example.com/lease"],
  mime: ["application/pdf"],
  contentString: ["data:application/pdf;base64,JVBERi0="],
  loginPath: ["/sso/simple?token=…"],
  workspaceIds: ["1"],
  connection_information: ["{}"],
  engine: ["postgresql"],
  connectionString: ["postgresql://reader:password@db.example.com:5432/sales"],
  bio: [""],
  chat_mode: ["query"],
  owned_by: ["carrel"],
  username: ["ada"],
  email: ["ada@example.com"],
  role: ["default", "admin"],
  language: ["en"],
  userLang: ["en"],
  timeZone: ["Europe/London"],
  model: ["contracts", "gpt-5"],
  chatModel: [null],
  provider: ["openai"],
  score: [0.82],
  distance: [0.18],
  page: [3],
  start: [1_204],
  end: [1_238],
  wordCount: [412],
  token_count_estimate: [530],
  tokenCount: [530],
  prompt_tokens: [812],
  completion_tokens: [12],
  total_tokens: [824],
  outputTps: [48.2],
  duration: [1.7],
  openAiTemp: [0.7],
  openAiHistory: [20],
  similarityThreshold: [0.25],
  topN: [4],
  limit: [20],
  offset: [0],
  created: [1_772_443_800],
  created_at: [1_772_443_800],
  sentAt: [1_772_443_800],
  code: ["Shown once"],
  secret: ["Shown once"],
  token: ["Shown once"],
  password: ["A long passphrase"],
  newPassword: ["A long passphrase"],
  currentPassword: ["A long passphrase"],
  object: ["list"],
};

const fits = (value: unknown, schema: Schema): boolean => {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if ("const" in schema) return schema.const === value;
  const types = [schema.type].flat();
  if (value === null) return types.includes("null");
  if (typeof value === "number")
    return (
      (types.includes("number") || (types.includes("integer") && Number.isInteger(value))) &&
      value >= Number(schema.minimum ?? -Infinity) &&
      value <= Number(schema.maximum ?? Infinity)
    );
  if (typeof value === "boolean") return types.includes("boolean");
  if (typeof value !== "string" || !types.includes("string")) return false;
  const isId = value === uuid;
  return (
    (typeof schema.pattern !== "string" || new RegExp(schema.pattern).test(value)) &&
    value.length >= Number(schema.minLength ?? 0) &&
    value.length <= Number(schema.maxLength ?? Infinity) &&
    (schema.format === undefined || schema.format === "uri" || (isId && schema.format === "uuid"))
  );
};

const formats: Record<string, string> = {
  uuid,
  "date-time": moment,
  date: moment.slice(0, 10),
  uri: "https://example.com/lease",
  email: "ada@example.com",
};

function stringOf(schema: Schema, name: string): string {
  const known = formats[String(schema.format)];
  if (known !== undefined) return known;
  if (/At$|^since|^until|timestamp$/i.test(name)) return moment;
  const plain = [name, "example", "00000000", uuid].find((value) => fits(value, schema));
  return plain ?? name.padEnd(Number(schema.minLength ?? 0), "-");
}

function numberOf(schema: Schema): number {
  const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? 1);
  const usual = Math.max(1, least);
  return Math.min(usual, Number(schema.maximum ?? usual));
}

function objectOf(schema: Schema, isRequest: boolean): Schema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set((schema.required ?? []) as string[]);
  // A request's optional fields would only distract, unless there are no others.
  const shown =
    isRequest && required.size > 0 ? properties.filter(([name]) => required.has(name)) : properties;
  return Object.fromEntries(
    shown.map(([name, field]) => [name, exampleOf(field, name, isRequest)]),
  );
}

/** For schemas that contain themselves, which others only refer to. */
const referred: Record<string, unknown> = {
  FlowStep: {
    type: "webScraping",
    config: { url: "${address}", captureAs: "text", resultVariable: "page", directOutput: true },
  },
};

/** A plausible value for the schema, chosen by the field's name if there is a choice. */
export function exampleOf(schema: Schema, name = "", isRequest = false): unknown {
  const [given] = (schema.examples ?? []) as unknown[];
  if (given !== undefined) return given;
  if (typeof schema.$ref === "string") return referred[schema.$ref.split("/").at(-1)!];
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  const known = (values[name] ?? []).find((value) =>
    (options ?? [schema]).some((option) => fits(value, option)),
  );
  if (known !== undefined) return known;
  const types = (options ?? [schema]).flatMap((option) => option.type ?? []);
  if (!isRequest && types.includes("null") && types.includes("string") && !/At$/.test(name))
    return null;
  if (options !== undefined) {
    const first = options.find(({ type }) => type !== "null") ?? options[0]!;
    return exampleOf(first, name, isRequest);
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (isRequest && schema.default !== undefined) return schema.default;
  const [type] = [schema.type].flat();
  if (type === "array") {
    const [first] = (schema.prefixItems ?? []) as Schema[];
    const items = (schema.items ?? first ?? {}) as Schema;
    if (items.not !== undefined) return []; // always empty
    const count = Math.max(1, Number(schema.minItems ?? 1));
    return Array.from({ length: count }, () => exampleOf(items, name.replace(/s$/, ""), isRequest));
  }
  if (type === "object") return objectOf(schema, isRequest);
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return numberOf(schema);
  if (type === "null") return null;
  return type === "string" ? stringOf(schema, name) : name;
}
