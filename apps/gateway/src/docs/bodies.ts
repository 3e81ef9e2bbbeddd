import {
  parseFile,
  updateSettings,
  uploadAndEmbed,
  uploadDeveloperDocument,
  uploadDeveloperDocumentToFolder,
  uploadDocument,
  uploadLogo,
  uploadProfilePicture,
  type Endpoint,
} from "@carrel/contracts";
import { contentTypes } from "./content-types.ts";
import { exampleReply, exampleRequest, exampleStream, exampleText } from "./examples.ts";
import { refer, toSchema, type Schema } from "./named-schemas.ts";
import { isDeveloperApi } from "./operation-names.ts";

/** Fields of multipart bodies that are not in the contract. */
const file = { type: "string", format: "binary" };
const metadata = {
  type: "string",
  description:
    "JSON object with title, docAuthor, description, docSource, chunkSource and url, all optional",
};
const addToWorkspaces = {
  type: "string",
  description: "Comma-separated slugs of workspaces to add the document to",
};
const picturePart = {
  type: "string",
  format: "binary",
  description: "JPEG, PNG, WebP, GIF or AVIF, at most 10 MB",
};
const withFile = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties: { file, ...properties },
  required: ["file"],
});
const multipart = new Map<string, Schema>([
  [uploadDocument.name, withFile({ folderName: { type: "string" }, metadata })],
  [uploadAndEmbed.name, withFile({ folderName: { type: "string" }, metadata })],
  [uploadDeveloperDocument.name, withFile({ metadata, addToWorkspaces })],
  [uploadDeveloperDocumentToFolder.name, withFile({ metadata, addToWorkspaces })],
  [parseFile.name, withFile({ threadSlug: { type: "string" } })],
  [uploadProfilePicture.name, withFile({ file: picturePart })],
  [uploadLogo.name, { type: "object", properties: { logo: picturePart }, required: ["logo"] }],
]);

/** Fields the gateway sets regardless of what the client sends. */
const ownFields = new Set(["address", "userAgent", "device"]);

export interface Fields {
  inPath: [string, Schema][];
  /** Sent in the query of a GET, otherwise in the body. */
  further: [string, Schema][];
  required: ReadonlySet<string>;
}

/** The input's fields by where a client sends them. */
export function readFields(endpoint: Endpoint): Fields {
  const input = toSchema(endpoint.input, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return {
    inPath: names.map((name) => [name, input.properties?.[name] ?? { type: "string" }]),
    further: Object.entries(input.properties ?? {}).filter(
      ([name]) => !names.includes(name) && !ownFields.has(name),
    ),
    required: new Set(input.required),
  };
}

/** The schema of a body that consists of a single input field. */
function wholeBody(endpoint: Endpoint, { further }: Fields): Schema {
  const [, schema = {}] = further.find(([name]) => name === endpoint.bodyField) ?? [];
  if (endpoint.operation.name === updateSettings.name)
    return { type: "object", additionalProperties: { type: ["string", "null"] } };
  const options = (schema.anyOf as Schema[] | undefined) ?? [schema];
  return options.find(({ type }) => type === "object") ?? { type: "object" };
}

/** The schema of a JSON body, or null if the route takes none. */
function describeBody(endpoint: Endpoint, fields: Fields): Schema | null {
  if (endpoint.bodyField !== undefined) return wholeBody(endpoint, fields);
  if (fields.further.length === 0) return null;
  const needed = fields.further.map(([name]) => name).filter((name) => fields.required.has(name));
  return {
    type: "object",
    properties: Object.fromEntries(fields.further),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

export function buildBody(endpoint: Endpoint, fields: Fields): Schema {
  const parts = multipart.get(endpoint.name);
  if (parts !== undefined)
    return {
      requestBody: { required: true, content: { "multipart/form-data": { schema: parts } } },
    };
  const schema = describeBody(endpoint, fields);
  if (schema === null) return {};
  return {
    requestBody: {
      required: endpoint.bodyField !== undefined || schema.required !== undefined,
      content: { "application/json": { schema, example: exampleRequest(endpoint.name, schema) } },
    },
  };
}

const succeed = (type: string, schema: Schema, example?: unknown): Schema => ({
  description: "Done",
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});

export function buildSuccess(endpoint: Endpoint): Schema {
  const { kind } = endpoint.success;
  const type = contentTypes[kind];
  if (type === null) return { description: "Done" };
  if (kind === "json") {
    const schema = toSchema(endpoint.output, "output");
    return succeed(type, schema, exampleReply(endpoint.name, schema));
  }
  if (kind === "bytes") return succeed(type, { type: "string", format: "binary" });
  if (kind === "text") return succeed(type, { type: "string" }, exampleText(endpoint.name));
  return isDeveloperApi(endpoint)
    ? {
        ...succeed(type, refer("StreamFrame"), exampleStream(endpoint.name)),
        description: "Event stream; the data of each event is a frame",
      }
    : {
        ...succeed(type, { type: "string" }, exampleStream(endpoint.name)),
        description: "Event stream",
      };
}
